"""The CDK apps that the command lines deploy."""
