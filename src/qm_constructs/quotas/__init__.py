"""A queue's quotas as a file: what teams edit and the platform team's app deploys."""
