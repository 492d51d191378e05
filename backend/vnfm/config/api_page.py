"""/api/v1/docs: the API for people, as one page without scripts, from the OpenAPI document; also offline and on paper.

A library that draws it in the browser (Swagger UI: 1.6 MB; Redoc: 1 MB, and needs inline styles) would be larger than
the console, and with some 350 operations slower than the browser's own search.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

METHODS = ("get", "post", "put", "patch", "delete")
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1rem; }
body { color: #1b1f24; background: #fff; }
code { font: 13px ui-monospace, monospace; } a { color: #0550ae; }
h2 { border-bottom: 1px solid #c9d1d9; margin-top: 2.5rem; } nav li { display: inline-block; margin-right: 1rem; }
nav ul { padding: 0; }
details { border: 1px solid #d0d7de; border-radius: 4px; margin: 0.3rem 0; padding: 0.3rem 0.6rem; }
summary { cursor: pointer; } summary b { display: inline-block; width: 4.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.6rem; }
tr { border-top: 1px solid #eaeef2; }
@media (prefers-color-scheme: dark) { body { color: #e6edf3; background: #0d1117; } a { color: #79c0ff; }
details, h2, tr { border-color: #30363d; } }
"""
_NONE = mark_safe("")
_REF = "#/components/schemas/"


@require_safe
def api_page(request: HttpRequest) -> HttpResponse:
    """The page; no login is needed, as for the document."""
    return HttpResponse(_page(), headers={"Cache-Control": "public, no-cache"})


@require_safe
def api_page_style(request: HttpRequest) -> HttpResponse:
    """Its style sheet: the content security policy allows none within the page."""
    return HttpResponse(STYLE, content_type="text/css", headers={"Cache-Control": "public, no-cache"})


@cache
def _page() -> str:
    text = Path(settings.BACKEND_DIR, "openapi.yaml").read_text()
    return page_of(yaml.load(text, yaml.CSafeLoader))


def page_of(document: Mapping[str, Any]) -> str:
    """HTML of an OpenAPI document (3.1)."""
    operations = [
        (path, method, methods[method])
        for path, methods in sorted(document["paths"].items(), key=lambda item: (_group(item[0]), item[0]))
        for method in METHODS
        if method in methods
    ]
    groups = {name: list(rows) for name, rows in groupby(operations, key=lambda row: _group(row[0])[1])}
    return format_html(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}: API</title>'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/api/v1/docs.css"></head>'
        "<body>"
        "<h1>{title}: API {version}</h1><p>For programs: <a href=/api/v1/schema>openapi.yaml</a>. Each request needs a"
        " login: <code>Authorization: Bearer TOKEN</code> with an API token, or with one that an API client gets at"
        " <code>/oauth/token</code>; a session of the console does as well. Every error is a problem document"
        " (<a href=#schema-ProblemDetails>ProblemDetails</a>).</p><nav><ul>{nav}</ul></nav>{groups}"
        "<h2 id=schemas>Schemas</h2>{schemas}</body></html>",
        title=document["info"]["title"],
        version=document["info"]["version"],
        nav=format_html_join(
            "", "<li><a href=#{}>{}</a></li>", [(_anchor(name), name) for name in (*groups, "schemas")]
        ),
        groups=format_html_join("", "{}", ((_section(name, rows),) for name, rows in groups.items())),
        schemas=format_html_join(
            "", "{}", ((_schema(name, each),) for name, each in sorted(document["components"]["schemas"].items()))
        ),
    )


def _group(path: str) -> tuple[bool, str]:
    """ETSI's interfaces first, by major version; then ours, by resource."""
    first, second, *rest = path.strip("/").split("/")
    return (first != "api", f"{first}/{second}") if first != "api" else (True, f"api/v1/{rest[0].partition('.')[0]}")


def _anchor(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "-", name)


def _section(name: str, rows: Iterable[tuple[str, str, Mapping[str, Any]]]) -> SafeString:
    body = format_html_join("", "{}", ((_operation(*row),) for row in rows))
    return format_html("<h2 id={}>/{}</h2>{}", _anchor(name), name, body)


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> SafeString:
    words = operation.get("description", "")
    return format_html(
        "<details id={}><summary><b>{}</b> <code>{}</code> {}</summary><p>{}</p>{}{}{}</details>",
        _anchor(operation["operationId"]),
        method.upper(),
        path,
        re.split(r"(?<=[.;])\s", words, maxsplit=1)[0],
        words,
        _parameters(operation.get("parameters", ())),
        _contents("Body", operation.get("requestBody", {}).get("content", {})),
        format_html_join("", "{}", ((_answer(code, each),) for code, each in sorted(operation["responses"].items()))),
    )


def _parameters(parameters: Iterable[Mapping[str, Any]]) -> SafeString:
    rows = [
        (each["name"], each["in"], "required" if each.get("required") else "", each.get("description", ""))
        for each in parameters
    ]
    if not rows:
        return _NONE
    body = format_html_join("", "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>", rows)
    return format_html("<table><tr><th>Parameter</th><th>in</th><th></th><th></th></tr>{}</table>", body)


def _contents(title: str, contents: Mapping[str, Any]) -> SafeString:
    rows = ((title, media, _type(each.get("schema", {}))) for media, each in contents.items())
    return format_html_join("", "<p>{}: <code>{}</code> {}</p>", rows)


def _answer(code: str, answer: Mapping[str, Any]) -> SafeString:
    if code == "default":
        return _NONE
    words = answer.get("description", "")
    return (
        _contents(f"Answer {code}", answer["content"])
        if "content" in answer
        else format_html("<p>Answer {}{}</p>", code, f": {words}" if words else "")
    )


def _schema(name: str, schema: Mapping[str, Any]) -> SafeString:
    required = schema.get("required", ())
    rows = [
        (key, _type(each), "required" if key in required else "", each.get("description", ""))
        for key, each in schema.get("properties", {}).items()
    ]
    body = format_html_join("", "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>", rows)
    return format_html(
        "<details id=schema-{}><summary><code>{}</code></summary><p>{}</p>{}</details>",
        _anchor(name),
        name,
        schema.get("description", ""),
        format_html("<table>{}</table>", body) if rows else _type(schema),
    )


def _type(schema: Mapping[str, Any]) -> SafeString:
    """Return a few words, with links to the schemas that they name."""
    return format_html_join(" or ", "{}", ((each,) for each in _types(schema)))


def _types(schema: Mapping[str, Any]) -> Iterator[SafeString]:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REF)
        yield format_html("<a href=#schema-{}>{}</a>", _anchor(name), name)
    for word in ("oneOf", "anyOf", "allOf"):
        for each in schema.get(word, ()):
            yield from _types(each)
    if "enum" in schema:
        yield format_html("one of {}", ", ".join("null" if each is None else str(each) for each in schema["enum"]))
    elif "items" in schema:
        yield format_html("array of {}", _type(schema["items"]))
    elif isinstance(schema.get("additionalProperties"), Mapping):
        yield format_html("map of {}", _type(schema["additionalProperties"]))
    elif "type" in schema:
        named = schema["type"] if isinstance(schema["type"], str) else " or ".join(schema["type"])
        yield format_html("{}", f"{named} ({schema['format']})" if "format" in schema else named)
