"""Which addresses may be reached: public web pages, and the very address that was checked."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Collection, Iterable
from typing import Any
from urllib.parse import urlsplit

import httpcore
import httpx

from jobctrl.errors import UnsafeUrl
from jobctrl.network.unsafe import NotPublic

Resolver = Callable[[str, int], list[str]]


def resolve(host: str, port: int) -> list[str]:
    """Every address *host* has. Raises OSError when it has none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Guard:
    """Says whether an address leads to the public web. `allow_hosts` are exempt: loopback servers of tests."""

    def __init__(self, *, resolver: Resolver = resolve, allow_hosts: Collection[str] = ()) -> None:
        self._resolve = resolver
        self._allowed = frozenset(allow_hosts)

    def check(self, url: str) -> None:
        """Raises UnsafeUrl unless *url* is http(s), without credentials, and names no address of a private network."""
        try:
            parts = urlsplit(url)
            host, _ = parts.hostname, parts.port
        except ValueError as error:
            raise UnsafeUrl(f"{url!r} is not a web address: {error}") from None
        if parts.scheme not in ("http", "https"):
            raise UnsafeUrl(f"{url!r} is not a web address: only http and https are fetched")
        if not host:
            raise UnsafeUrl(f"{url!r} names no host")
        if parts.username is not None or parts.password is not None:
            raise UnsafeUrl(f"the address of {host} carries a user name or password; remove them")
        if host in self._allowed:
            return
        literal = _literal(host)
        if literal is not None and not _public(literal):
            raise NotPublic(f"{host} is not a public address", host=host, cause="host_non_public")
        if literal is None and (
            "." not in host.rstrip(".") or host.rstrip(".").endswith((".localhost", ".local", ".internal"))
        ):
            raise NotPublic(f"{host} is a name of a private network", host=host, cause="host_non_public")

    def addresses(self, host: str, port: int) -> list[str]:
        """The addresses of *host*, all of them public. One private address among them refuses the whole name."""
        found = self._resolve(host, port)
        if host not in self._allowed:
            for address in found:
                parsed = _literal(address)
                if parsed is None or not _public(parsed):
                    raise NotPublic(
                        f"{host} resolves to {address}, which is not a public address",
                        host=host,
                        cause="dns_non_public",
                    )
        return found


def _literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        pass
    # `2130706433`, `0x7f.1` and `127.1` are read as IPv4 by the system's resolver.
    if host and host[0].isdigit() and all(c in "0123456789abcdefxABCDEFX." for c in host):
        try:
            return ipaddress.IPv4Address(socket.inet_aton(host))
        except OSError:
            return None
    return None


def _public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is None and address in ipaddress.IPv6Network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return _public(inner)
    return address.is_global and not address.is_multicast and not address.is_reserved


class _CheckedBackend(httpcore.NetworkBackend):
    """Connects to the address that was checked, so that a name cannot change its mind between check and connection."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        try:
            addresses = self._guard.addresses(host, port)
        except (OSError, UnicodeError) as error:
            # A label of more than 63 letters is no name, which the resolver reports as a fault of encoding.
            raise httpcore.ConnectError(f"{host} has no address: {error}") from error
        failure: Exception | None = None
        for address in addresses:
            try:
                return self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore.ConnectError(f"{host} has no address")

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)


class GuardedTransport(httpx.HTTPTransport):
    """httpx's own transport over connections that pass the guard. Environment proxies are not used."""

    def __init__(self, guard: Guard, *, connections: int = 20) -> None:
        super().__init__(trust_env=False)
        self._pool.close()
        # httpx offers no argument for a network backend; TLS still sees the host's name, not the address.
        self._pool = httpcore.ConnectionPool(
            ssl_context=httpx.create_ssl_context(trust_env=False),
            max_connections=connections,
            keepalive_expiry=15,
            network_backend=_CheckedBackend(guard),
        )
