"""Compass search for coefficients of independent groups: all groups step at once, so that one run of the core serves them all.

Robust and reproducible: no randomness, no derivatives, no numerical library."""
import importlib.util
import math


def module(path):
    """A module by path: families and fits share names."""
    spec = importlib.util.spec_from_file_location("truth_" + path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def search(values, groups, losses, rounds=30, additive=(), bounds=None, first_step=0.35, shrink=0.88):
    """Minimises losses(values)[group] over the names in groups[group]; returns (values, losses).

    Steps are factors, or differences for names whose last part is in `additive`; `bounds` maps a last part to (lowest, highest)."""
    values, bounds = dict(values), bounds or {}
    best = losses(values)
    step = {name: first_step for names in groups.values() for name in names}
    for _ in range(rounds):
        for turn in range(max(len(names) for names in groups.values())):
            for sign in (1, -1):
                trial, moved = dict(values), {}
                for group, names in groups.items():
                    if turn < len(names):
                        name = names[turn]
                        trial[name] = stepped(values[name], sign * step[name], name, additive, bounds)
                        moved[group] = name
                got = losses(trial)
                for group, name in moved.items():
                    if got[group] < best[group] - 1e-7:
                        values[name], best[group] = trial[name], got[group]
                        step[name] *= 1.3
                    else:
                        step[name] *= shrink
    return values, best


def stepped(value, step, name, additive, bounds):
    field = name.split(".")[-1]
    new = value + step if field in additive else value * math.exp(step)
    low, high = bounds.get(field, (-math.inf, math.inf))
    return min(high, max(low, new))


def weights(keys):
    """Rows of one source weigh less the more they are: 1/√n each, so that a long table does not drown the others."""
    count = {}
    for key in keys:
        count[key] = count.get(key, 0) + 1
    return [count[key] ** -0.5 for key in keys]
