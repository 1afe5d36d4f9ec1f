"""Pure: CloudFormation templates read as CloudFormation would read them, and judged."""
