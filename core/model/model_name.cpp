#include "core/model/model_name.hpp"

#include <algorithm>
#include <iterator>

namespace gpuplan {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

/// Separators become '-'; a dot or underscore between digits is the dot of a version.
std::string unify(std::string s) {
  for (std::size_t i = 0; i < s.size(); ++i) {
    const bool between_digits = i > 0 && i + 1 < s.size() && is_digit(s[i - 1]) && is_digit(s[i + 1]);
    if (s[i] == '.' || s[i] == '_') s[i] = between_digits ? '.' : s[i] == '_' ? '_' : '-';
    if (s[i] == ' ' || s[i] == ':' || s[i] == '(' || s[i] == ')') s[i] = '-';
  }
  return s;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + separator) {
    if (c != separator) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

/// "llama3.1" → "llama", "3.1": a family name of three letters or more ends where its version begins.
void add_word(const std::string& word, std::vector<std::string>& out) {
  std::size_t letters = 0;
  while (letters < word.size() && is_letter(word[letters])) ++letters;
  if (letters >= 3 && letters < word.size() && is_digit(word[letters])) {
    out.push_back(word.substr(0, letters));
    out.push_back(word.substr(letters));
  } else {
    out.push_back(word);
  }
}

/// Words of variants that keep the architecture.
bool is_decoration(const std::string& w) {
  static constexpr const char* words[] = {
      "instruct", "chat", "it", "pt", "base", "hf", "meta", "gguf", "ggml", "imatrix", "i1", "ud", "bnb", "unsloth", "dynamic", "mlx", "exl2", "awq", "gptq",
      "marlin", "quantized", "4bit", "8bit", "4-bit", "bf16", "fp16", "f16", "bf", "sft", "dpo", "rlhf", "orpo", "thinking", "preview", "latest", "uncensored",
      "abliterated", "finetuned", "merged", "safetensors", "onnx", "int4", "int8", "w4a16", "w8a8", "w8a16", "fp8", "nvfp4", "mxfp4", "nf4", "qat", "128g", "64g", "32g", "asym", "sym",
      "autoround", "torchao", "block", "bit", "reasoning", "original", "text", "guard", "terminus", "exp", "speciale", "aqlm", "hqq", "exl3", "fp4", "python", "2bit", "3bit",
      "5bit", "6bit", "tool", "mxfp8"};
  if (w.size() == 4 && std::all_of(w.begin(), w.end(), is_digit)) return true;  // a date: 2407, 0528
  return std::find(std::begin(words), std::end(words), w) != std::end(words);
}

bool contains(const std::vector<std::string>& words, const char* w) { return std::find(words.begin(), words.end(), w) != words.end(); }

std::optional<WeightFormat> weights_of(const std::vector<std::string>& w) {
  const bool eight = contains(w, "int8") || contains(w, "8bit") || contains(w, "w8a16");
  if (contains(w, "awq")) return WeightFormat::awq;
  if (contains(w, "gptq")) return eight ? WeightFormat::gptq_8bit : WeightFormat::gptq_4bit;
  if (contains(w, "nvfp4") || contains(w, "fp4")) return WeightFormat::nvfp4;
  if (contains(w, "mxfp4")) return WeightFormat::mxfp4;
  if (contains(w, "fp8")) return WeightFormat::fp8;
  if (contains(w, "nf4") || (contains(w, "bnb") && contains(w, "4bit"))) return WeightFormat::nf4_double;
  if (eight || contains(w, "w8a8")) return WeightFormat::int8;
  if (contains(w, "int4") || contains(w, "w4a16") || contains(w, "4bit")) return WeightFormat::int4;
  return std::nullopt;
}

/// "q4_0", "q4_k_m", and what re-uploaders add to llama.cpp's names: "q4_k_xl" and "q6_k_l" are mixes near those without the tail.
std::optional<WeightFormat> gguf_format(std::string word) {
  std::replace(word.begin(), word.end(), '.', '_');
  for (const char* tail : {"", "_m", "_l", "_s"}) {
    const std::size_t cut = *tail == '\0' ? std::string::npos : word.rfind('_');
    if (*tail != '\0' && (cut == std::string::npos || (word.substr(cut) != "_xl" && word.substr(cut) != "_l"))) continue;
    const auto format = parse_weight_format(word.substr(0, cut) + tail);
    if (format && is_gguf(*format)) return format;
  }
  const std::size_t cut = word.rfind('_');
  const auto plain = cut == std::string::npos || word.substr(cut) != "_l" ? std::nullopt : parse_weight_format(word.substr(0, cut));
  return plain && is_gguf(*plain) ? plain : std::nullopt;
}

}  // namespace

ModelName parse_model_name(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  const std::string name = unify(lower(slash == std::string_view::npos ? text : text.substr(slash + 1)));
  ModelName out;
  for (const std::string& word : split(name, '-')) {
    if (const auto format = gguf_format(word)) {
      out.weights = format;
      continue;
    }
    for (const std::string& part : split(word, '_')) {
      if (part == "fp8" || part == "int8" || part == "int4" || part == "nf4" || part == "nvfp4" || part == "mxfp4") {
        out.all.push_back(part);
      } else {
        add_word(part, out.all);
      }
    }
  }
  if (!out.weights) out.weights = weights_of(out.all);
  std::copy_if(out.all.begin(), out.all.end(), std::back_inserter(out.core), [](const std::string& w) { return !is_decoration(w); });
  return out;
}

}  // namespace gpuplan
