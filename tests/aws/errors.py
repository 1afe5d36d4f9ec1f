"""How the service refuses a call."""

from __future__ import annotations


class ClientError(Exception):
    """A call that AWS Batch answers with an error of the caller's."""

    code = "ClientException"
    status = 400


class TooManyRequestsError(ClientError):
    """A call that comes too soon after others."""

    code = "TooManyRequestsException"
    status = 429


def already_exists(name: str) -> ClientError:
    return ClientError(f"Object already exists: {name}")


def does_not_exist(what: str) -> ClientError:
    return ClientError(f"{what} does not exist")


def being_modified(doing: str) -> ClientError:
    return ClientError(f"Cannot {doing}, resource is being modified.")
