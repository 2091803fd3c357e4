#pragma once
/// The why of an answer: each term with its formula, inputs and source, so that a person can check it with a pocket calculator.
#include <string>
#include <vector>

namespace gpuplan {

struct Input {
  std::string name;   ///< symbol as in the formula
  double value = 0.0;
  std::string unit;   ///< "B", "s", "tokens", "" for a pure number
};

/// One number of the answer. `source` is a METHOD.md section id, a catalog source or a coefficient's name.
struct Term {
  std::string term;
  std::string formula;
  std::vector<Input> inputs;
  double value = 0.0;
  std::string unit;
  std::string source;
};

enum class Severity { info, warning, problem };

/// A remark with a stable code that the pages translate (strings "note.<code>"); `text` is English.
struct Note {
  std::string code;
  Severity severity = Severity::info;
  std::string text;
};

/// Collected while estimating; the search passes nullptr and pays nothing.
struct Explanation {
  std::vector<Term> terms;
  std::vector<Note> notes;
};

}  // namespace gpuplan
