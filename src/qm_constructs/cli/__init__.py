"""The command line: ``main`` takes the arguments, a module each runs a command."""
