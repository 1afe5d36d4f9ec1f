"""Two opinions of one template: what the check says of it, and what the AWS endpoint does with it."""
