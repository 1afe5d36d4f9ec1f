"""The life of a queue: the real command lines of CDK and AWS against the endpoint."""
