"""Robust least squares over log coefficients, standard library only.

Minimises sum_i w_i log(1 + (r_i / s)^2) + prior * sum_k (log(c_k / start_k) / sigma_k)^2 with r_i = log(predicted / measured): Cauchy weights keep
rows that contradict the rest from bending the fit, the prior keeps a coefficient that no row decides at its start.
"""
import math

SCALE = 0.15   # log error at which a row starts to count less
PRIOR = 0.05
STEP = 0.05    # of the log, for numerical derivatives


def solve(matrix, right):
    """Gauss-Jordan with pivoting; singular directions get 0."""
    n = len(right)
    rows = [matrix[i][:] + [right[i]] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        if rows[i][i] == 0.0:
            continue
        for r in range(n):
            factor = rows[r][i] / rows[i][i] if r != i else 0.0
            if factor:
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i])]
    return [rows[i][n] / rows[i][i] if rows[i][i] else 0.0 for i in range(n)]


class Problem:
    """`evaluate(values) -> {row id: residual}`; parameters {name: (start, low, high, sigma of the log)}; weights {row id: weight}."""

    def __init__(self, parameters, weights, evaluate):
        self.parameters, self.weights, self.evaluate = parameters, weights, evaluate
        self.names = list(parameters)

    def cost(self, residuals, values):
        total = sum(w * math.log(1.0 + (residuals[i] / SCALE) ** 2) for i, w in self.weights.items())
        return total + PRIOR * sum((math.log(values[n] / p[0]) / p[3]) ** 2 for n, p in self.parameters.items())

    def jacobian(self, values, residuals):
        columns = {}
        for name in self.names:
            moved = dict(values)
            moved[name] = values[name] * math.exp(STEP)
            shifted = self.evaluate(moved)
            columns[name] = {i: (shifted[i] - residuals[i]) / STEP for i in self.weights}
        return columns

    def normal(self, columns, residuals, values, rows):
        n = len(self.names)
        matrix, right = [[0.0] * n for _ in range(n)], [0.0] * n
        for i in rows:
            weight = self.weights[i] / (1.0 + (residuals[i] / SCALE) ** 2) / SCALE ** 2
            line = [(k, columns[name][i]) for k, name in enumerate(self.names) if columns[name][i]]
            for a, x in line:
                right[a] -= weight * x * residuals[i]
                for b, y in line:
                    matrix[a][b] += weight * x * y
        for k, name in enumerate(self.names):
            start, _, _, sigma = self.parameters[name]
            matrix[k][k] += PRIOR / sigma ** 2
            right[k] -= PRIOR * math.log(values[name] / start) / sigma ** 2
        return matrix, right

    def moved(self, values, step):
        return {name: min(self.parameters[name][2], max(self.parameters[name][1], values[name] * math.exp(max(-0.7, min(0.7, d)))))
                for name, d in zip(self.names, step)}

    def minimise(self, values, rounds=8):
        """(values, residuals, jacobian columns) at the minimum."""
        residuals = self.evaluate(values)
        cost = self.cost(residuals, values)
        columns = self.jacobian(values, residuals)
        for _ in range(rounds):
            matrix, right = self.normal(columns, residuals, values, self.weights)
            for damping in (1e-3, 1e-2, 1e-1, 1.0):
                damped = [[x * (1.0 + damping) if a == b else x for b, x in enumerate(row)] for a, row in enumerate(matrix)]
                trial = self.moved(values, solve(damped, right))
                there = self.evaluate(trial)
                gained = cost - self.cost(there, trial)
                if gained > 1e-6:
                    values, residuals, cost = trial, there, cost - gained
                    break
            else:
                break
            columns = self.jacobian(values, residuals)
            if gained < 0.01:
                break
        return values, residuals, columns

    def left_out(self, values, residuals, columns, groups):
        """Residuals of each row when its group took no part: one Newton step away from the minimum without it (deletion diagnostics)."""
        out = {}
        for rows in groups.values():
            rest = [i for i in self.weights if i not in rows]
            matrix, right = self.normal(columns, residuals, values, rest)
            there = self.moved(values, solve(matrix, right))
            shift = {name: math.log(there[name] / values[name]) for name in self.names}
            for i in rows:
                out[i] = residuals[i] + sum(columns[name][i] * shift[name] for name in self.names)
        return out
