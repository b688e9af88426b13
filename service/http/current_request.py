"""Flask's application, request and ``g`` without their proxies.

Each access through a proxy costs as much as several direct ones, and an append has about fifty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask, Request, current_app, g, request

if TYPE_CHECKING:
    from flask.ctx import _AppCtxGlobals


def current_application() -> Flask:
    """The application. Raises `RuntimeError` outside of one."""
    application: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    return application


def current_request() -> Request:
    """The request. Raises `RuntimeError` outside of one."""
    request_object: Request = request._get_current_object()  # type: ignore[attr-defined]
    return request_object


def request_globals() -> _AppCtxGlobals:
    """Flask's ``g``. Raises `RuntimeError` outside of an application."""
    globals_object: _AppCtxGlobals = g._get_current_object()
    return globals_object
