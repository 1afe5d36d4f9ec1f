"""The page and the picture of a plan in a real Chromium: their layout, and what they do."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.cli.main import main
from tests.plan_scenarios import GPU, OTHER, template
from tests.test_plan import HOSTILE, TWO, written

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM, reason="there is no chromium on the PATH"),
]

WIDTHS = (360, 1280, 1920)
LIGHT, DARK = "1", "0"
BORROW = "LEND_AND_BORROW"
FIVE = (GPU, OTHER, "ml.p4d.24xlarge", "ml.trn1.32xlarge", "ml.m5.large")
CASES = {
    "one share": template({GPU: 16}, {"research": ({GPU: 10}, BORROW, 50)}),
    "two shares": TWO,
    "20 shares": template(
        {GPU: 64},
        {
            f"team-{n:02}": ({GPU: 1 + n % 5}, ("RESERVE", "LEND", BORROW)[n % 3], None)
            for n in range(20)
        },
    ),
    "5 units": template(
        dict.fromkeys(FIVE, 20),
        {
            "research": (dict.fromkeys(FIVE, 15), BORROW, 100),
            "product": (dict.fromkeys(FIVE[:3], 9), "LEND", None),
            "open": ({OTHER: {"Ref": "P"}}, BORROW, None),
        },
        parameters=["P"],
    ),
    "long names": template(
        {GPU: 16}, {letter * 128: ({GPU: 8}, BORROW, 50) for letter in "mw"}, name="q" * 128
    ),
}

# Runs in the page around the documents, each of which is in a frame of the same origin.
MEASURE = r"""
const channel = c => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
const numbers = c => c.match(/[\d.]+/g).slice(0, 3).map(Number);
const light = c => { const [r, g, b] = numbers(c).map(channel);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const contrast = (one, two) => { const [a, b] = [light(one), light(two)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05); };
const box = e => { const b = e.getBoundingClientRect(); return [b.left, b.right]; };
const shown = e => e.getClientRects().length > 0;
function measured(frame) {
  const d = frame.contentDocument, w = frame.contentWindow;
  const style = e => w.getComputedStyle(e);
  const page = style(d.body).backgroundColor;
  // A limit that is unknown is drawn without a filling.
  const paper = () => page === 'rgba(0, 0, 0, 0)'
    ? style(d.querySelector('svg > rect')).fill : page;
  const filled = e => style(e).fill === 'none' ? paper() : style(e).fill;
  const all = s => [...d.querySelectorAll(s)];
  const bars = all('figure > svg, .alone > svg > svg');
  const segments = bars.map(bar => [...bar.children].filter(e => e.tagName === 'svg').map(box));
  const inSegments = all('svg svg').filter(s => s.querySelector(':scope > title'));
  return {
    width: d.documentElement.clientWidth,
    overflow: d.documentElement.scrollWidth,
    text: d.body.innerText,
    page, segments,
    bars: bars.map(box),
    reaches: bars.map(bar => [...bar.querySelectorAll(':scope > rect.open')].map(box)),
    marks: bars.map(bar => [...bar.querySelectorAll(':scope > line')].map(box)),
    scripts: d.scripts.length,
    images: all('img, iframe, object, embed, link, a[href^="http"]').length,
    handlers: all('*').filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).length,
    contrasts: all('p, h1, h2, h3, th, td, .number, a').filter(shown).map(e => {
      const own = style(e).backgroundColor;
      return [e.textContent, contrast(style(e).color, own === 'rgba(0, 0, 0, 0)' ? page : own)];
    }),
    inContrasts: inSegments.flatMap(s => [...s.querySelectorAll('text')].filter(shown).map(
      t => [t.textContent, contrast(style(t).fill, filled(s.querySelector('rect')))])),
    cut: inSegments.flatMap(s => [...s.querySelectorAll('text')].filter(shown).filter(
      t => t.getBoundingClientRect().width > s.getBoundingClientRect().width).map(
      t => t.textContent)),
    wide: all('svg text').filter(shown).filter(
      t => t.getBoundingClientRect().right > d.documentElement.clientWidth + 1).map(
      t => t.textContent),
    unnamed: all('[role=img]').filter(e => !e.getAttribute('aria-labelledby').split(' ').every(
      id => d.getElementById(id).textContent.trim())).length,
    pictures: all('[role=img]').length,
    tables: all('table').map(t => ({
      caption: t.caption.textContent,
      roles: [...new Set([...t.querySelectorAll('tr, th, td')].map(e => e.getAttribute('role')))],
      rows: t.tBodies[0].rows.length,
      cells: [...t.tBodies[0].rows].map(r => [...r.cells].map(c => c.innerText)),
    })),
    headings: all('h1, h2, h3').map(e => [e.tagName, e.textContent]),
    ids: all('[id]').map(e => e.id),
    links: all('a').map(e => [e.getAttribute('href'), e.tabIndex]),
    lang: d.documentElement.lang,
  };
}
addEventListener('load', () => setTimeout(() => {
  const result = {hit: window.hit || 0};
  for (const frame of document.querySelectorAll('iframe')) result[frame.title] = measured(frame);
  const picture = document.querySelector('img');
  result.image = picture ? [picture.complete, picture.naturalHeight] : null;
  document.getElementById('result').textContent = JSON.stringify(result);
}, 100));
"""


def run(*arguments: str, folder: Path) -> str:
    """Returns what a Chromium prints that has a profile of its own."""
    done = subprocess.run(
        [
            CHROMIUM,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            f"--user-data-dir={folder / 'profile'}",
            *arguments,
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout


def measured(
    folder: Path, documents: dict[str, tuple[str, int]], scheme: str = LIGHT, more: str = ""
) -> Any:
    """Returns what documents look like in frames of some width.

    Args:
        folder: Where the page is written.
        documents: By name, a document in HTML and the width of its frame.
        scheme: What the reader prefers.
        more: More of the page around them.
    """
    frames = "".join(
        f'<iframe title="{html.escape(name)}" srcdoc="{html.escape(text)}" '
        f'style="width: {width}px; height: 900px; border: 0"></iframe>'
        for name, (text, width) in documents.items()
    )
    page = folder / "page.html"
    page.write_text(
        f'<!doctype html><meta charset="utf-8"><script>{MEASURE}</script>{frames}{more}'
        '<pre id="result"></pre>'
    )
    dom = run(
        f"--blink-settings=preferredColorScheme={scheme}",
        "--window-size=2000,1000",
        "--virtual-time-budget=10000",
        "--dump-dom",
        page.as_uri(),
        folder=folder,
    )
    result = re.search(r'<pre id="result">(.*?)</pre>', dom, re.DOTALL)
    assert result is not None
    return json.loads(html.unescape(result[1]))


def planned(path: str, form: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["plan", "--format", form, path]) == 0
    return capsys.readouterr().out


def alone(svg: str) -> str:
    """Returns a page that holds a picture and nothing else."""
    return f'<!doctype html><body style="margin: 0" class="alone">{svg}</body>'


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str], scheme: str) -> None:
    documents = {
        f"{name} {width}": (planned(written(tmp_path, whole), "html", capsys), width)
        for name, whole in CASES.items()
        for width in WIDTHS
    }
    found = measured(tmp_path, documents, scheme)
    for name in documents:
        page = found[name]
        assert page["overflow"] <= page["width"], name
        assert (page["scripts"], page["images"], page["handlers"]) == (0, 0, 0)
        assert (page["unnamed"], page["lang"]) == (0, "en")
        assert len(page["ids"]) == len({*page["ids"]})
        assert (sum(numbers(page)) < 3 * 128) is (scheme == DARK)
        poor = [pair for pair in page["contrasts"] + page["inContrasts"] if pair[1] < 4.5]
        assert poor == [], name
        assert (page["cut"], page["wide"]) == ([], []), name
        assert [heading[0] for heading in page["headings"]][:3] == ["H1", "H2", "H3"]
        for table in page["tables"]:
            assert {*table["roles"]} == {"row", "columnheader", "rowheader", "cell"}
            assert table["caption"].startswith("The shares of ")


def numbers(page: Any) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", page["page"])[:3]]


def test_the_table_beside_the_picture_holds_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = planned(written(tmp_path, CASES["5 units"]), "html", capsys)
    page = measured(tmp_path, {"x": (document, 1280)})["x"]
    assert (len(page["tables"]), page["pictures"]) == (5, 5)
    assert page["tables"][1]["cells"] == [
        ["1\nresearch", "15", BORROW, "100 %", "15", "unknown", "20"],
        ["2\nproduct", "9", "LEND", "none", "9", "0", "9"],
        ["3\nopen", "unknown", BORROW, "unlimited", "unknown", "24", "20"],
    ]


@pytest.mark.parametrize("form", ["html", "svg"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_bar_is_to_scale(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, width: int
) -> None:
    """Of 16 instances research has 10 and reaches 5 beyond, product has 6."""
    document = planned(written(tmp_path, TWO), form, capsys)
    page = measured(tmp_path, {"x": (document if form == "html" else alone(document), width)})["x"]
    (bar,), (segments,) = page["bars"], page["segments"]
    (reaches,), ((mark,),) = page["reaches"], page["marks"]
    unit = (bar[1] - bar[0]) / 16
    research, product = segments
    assert research[0] == pytest.approx(bar[0], abs=1)
    assert research[1] - research[0] == pytest.approx(10 * unit, abs=1)
    assert product[0] == pytest.approx(research[1], abs=1)
    assert product[1] - product[0] == pytest.approx(6 * unit, abs=1)
    ((start, end),) = reaches
    assert (start, end) == (
        pytest.approx(research[1], abs=2),
        pytest.approx(research[1] + 5 * unit, abs=2),
    )
    assert mark[0] == pytest.approx(bar[0] + 16 * unit, abs=2)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_picture_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str], scheme: str) -> None:
    pictures = {name: planned(written(tmp_path, w), "svg", capsys) for name, w in CASES.items()}
    documents = {
        f"{name} {width}": (alone(svg), width) for name, svg in pictures.items() for width in WIDTHS
    }
    (tmp_path / "picture.svg").write_text(pictures["20 shares"])
    found = measured(tmp_path, documents, scheme, '<img src="picture.svg">')
    complete, height = found.pop("image")
    assert complete
    assert height > 100
    for name in documents:
        page = found[name]
        assert page["overflow"] <= page["width"], name
        assert (page["cut"], page["wide"]) == ([], []), name
        assert [pair for pair in page["inContrasts"] if pair[1] < 4.5] == [], name
        assert (page["pictures"], page["unnamed"], page["scripts"]) == (1, 0, 0)


@pytest.mark.parametrize("form", ["html", "svg"])
def test_no_name_does_anything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    hostile = [
        *HOSTILE,
        "<img src=x onerror=parent.hit=1>",
        "</script><script>parent.hit=1</script>",
        "</title></desc><script>parent.hit=1</script>",
        "\"'><svg onload=parent.hit=1>",
    ]
    documents = {}
    for number, name in enumerate(hostile):
        whole = template({name: 8}, {name: ({name: 4}, "LEND", None)}, name=name)
        text = planned(written(tmp_path, whole), form, capsys)
        # Without the policy, which stops scripts also where a name were taken for one.
        text = re.sub(r"<meta http-equiv[^>]*>", "", text)
        documents[str(number)] = (text if form == "html" else alone(text), 1280)
    found = measured(tmp_path, documents)
    assert found["hit"] == 0
    for number, name in enumerate(hostile):
        page = found[str(number)]
        assert (page["scripts"], page["images"], page["handlers"]) == (0, 0, 0)
        as_it_is = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)
        if form == "html":
            (table,) = page["tables"]
            assert table["cells"][0][0].removeprefix("1\n") == as_it_is
            assert page["headings"][1:] == [["H2", as_it_is], ["H3", as_it_is]]


def test_a_test_would_see_a_script(tmp_path: Path) -> None:
    document = "<!doctype html><body><script>parent.hit=1</script></body>"
    found = measured(tmp_path, {"x": (document, 360)})
    assert (found["hit"], found["x"]["scripts"]) == (1, 1)


def test_several_queues_are_reached_by_keyboard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two = [written(tmp_path, TWO, "a.json"), written(tmp_path, CASES["one share"], "b.json")]
    assert main(["plan", "--format", "html", *two]) == 0
    page = measured(tmp_path, {"x": (capsys.readouterr().out, 360)})["x"]
    assert [link[0] for link in page["links"]] == ["#queue-0", "#queue-1"]
    assert all(link[0][1:] in page["ids"] and link[1] == 0 for link in page["links"])


def test_it_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, pdf = tmp_path / "plan.html", tmp_path / "plan.pdf"
    page.write_text(planned(written(tmp_path, CASES["20 shares"]), "html", capsys))
    run(f"--print-to-pdf={pdf}", "--no-pdf-header-footer", page.as_uri(), folder=tmp_path)
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes()))
    assert 1 <= pages <= 2
