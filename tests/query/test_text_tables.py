"""Tables as text for documents."""

from __future__ import annotations

import csv
import io

from sightline.query.text_tables import text_table

HOSTILE = "a|b *c* _d_ <script> `e` \\ # 50% & $x$ {y} ~^\nsecond line"


def test_markdown_has_equal_columns_and_numbers_on_the_right() -> None:
    text = text_table(["run", "loss"], [["a", "0.5"], ["longer", "12.25"]], format="md")
    assert text == (
        "| run    |  loss |\n"
        "| ------ | ----: |\n"
        "| a      |   0.5 |\n"
        "| longer | 12.25 |\n"
    )  # fmt: skip


def test_in_markdown_nothing_of_a_name_is_markup() -> None:
    row = text_table(["run"], [[HOSTILE]], format="md").splitlines()[2]
    assert row == (
        r"| a\|b \*c\* \_d\_ \<script\> \`e\` \\ \# 50% & $x$ \{y\} \~^ second line |"
    )  # fmt: skip


def test_latex_is_a_booktabs_table_in_which_nothing_of_a_name_is_a_command() -> None:
    text = text_table(["run", "loss"], [[HOSTILE, "1 ± 2"]], format="tex")
    assert text.splitlines() == [
        r"\begin{tabular}{lr}",
        r"  \toprule",
        r"  run & loss \\",
        r"  \midrule",
        r"  a\textbar{}b *c* \_d\_ \textless{}script\textgreater{} `e` \textbackslash{} \# 50\% \& \$x\$ "
        r"\{y\} \textasciitilde{}\textasciicircum{} second line & 1 $\pm$ 2 \\",
        r"  \bottomrule",
        r"\end{tabular}",
    ]


def test_in_latex_powers_of_ten_are_set_as_such_and_names_are_not() -> None:
    rows = text_table(["run", "loss"], [["lr1e-5", "1.00 ± 9.7e-06"], ["b", "-2e+12"]], format="tex")
    assert rows.splitlines()[4:6] == [
        r"  lr1e-5 & 1.00 $\pm$ $9.7 \times 10^{-6}$ \\",
        r"  b & $-2 \times 10^{12}$ \\",
    ]


def test_csv_reads_back_as_it_was() -> None:
    rows = [["run", "loss"], [HOSTILE, "0.5"]]
    assert list(csv.reader(io.StringIO(text_table(rows[0], rows[1:], format="csv")))) == rows


def test_a_table_without_rows_still_has_its_head() -> None:
    assert text_table(["run", "loss"], [], format="md").splitlines()[0] == "| run | loss |"
