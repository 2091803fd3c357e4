"""Speed of serving engines: tests/truth/serving_speed.csv, prompts alone, one sequence alone, many at once [M-time-serving].

Levels are macro-averages: every engine × GPU weighs the same, however many rows it has. Time to first token under load is printed without a level:
published figures of it contain servers, load generators and bursts that the rows do not describe.
"""
import serving_rows

LEVELS = {"prefill": (0.10, 0.25), "decode": (0.08, 0.20), "saturated": (0.15, 0.35), "disaggregated": (0.15, 0.35)}
LEVELS.update({quantity + ", held out": LEVELS[quantity] for quantity in ("prefill", "decode")})


def interval(answer, family, predicted):
    """The answer's range of tokens per second, as factors on the number that is compared."""
    low, high = answer["range"]["tokens_per_s"]
    middle = answer["throughput"]["tokens_per_s"]
    return (predicted * low / middle, predicted * high / middle) if middle else (None, None)


def score(cli, rows, suffix=""):
    kept = [r for r in rows if not serving_rows.reason_to_skip(r)]
    answers = dict(zip((r["id"] for r in kept), cli.estimate([serving_rows.scenario(r) for r in kept])))
    result = []
    for row in rows:
        entry = {"id": row["id"], "group": f"{row['engine']} × {row['gpu']}", "source": row["source"], "excluded_reason": serving_rows.reason_to_skip(row),
                 "note": f"{row['engine']} {row['version']} {row['model']} {row['weights']} {row['gpus']} x {row['gpu']} {row['regime']} {row['note']}",
                 "predicted": None, "low": None, "high": None}
        family, measured, read = serving_rows.target(row) if not row["excluded"] else ("saturated", 0.0, None)
        entry.update(quantity=family + suffix, measured=measured)
        answer = answers.get(row["id"])
        if answer is not None and "error" in answer:
            entry["excluded_reason"] = "refused: " + answer["error"]["message"]
        elif answer is not None:
            entry["predicted"] = read(answer)
            entry["low"], entry["high"] = interval(answer, family, entry["predicted"])
        result.append(entry)
        first = serving_rows.first_token(row)
        if first and entry["predicted"] is not None and family != "disaggregated":
            result.append({**entry, "id": row["id"] + "/ttft", "quantity": "first_token", "measured": first[0], "predicted": first[1](answer), "low": None, "high": None})
    return result


def run(cli):
    return score(cli, serving_rows.load()) + score(cli, serving_rows.load(serving_rows.HELD_OUT), ", held out")
