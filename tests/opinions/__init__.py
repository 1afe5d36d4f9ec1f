"""Two opinions of one template: what the check says, and what the AWS endpoint does."""
