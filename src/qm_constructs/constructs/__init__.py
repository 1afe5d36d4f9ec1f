"""The CDK half: one construct a file."""
