#include "core/model/huggingface/dialect.hpp"

namespace gpuplan {
namespace {

/// Wrappers of the language model, in the order in which they are opened.
constexpr const char* wrappers[] = {"network", "thinker_config", "text_config", "language_config", "llm_config", "language_model_config"};

bool has_sizes(const ConfigView& v) {
  for (const char* key : {"hidden_size", "n_embd", "d_model", "num_hidden_layers", "n_layer", "num_attention_heads", "dim"}) {
    if (v.has(key)) return true;
  }
  return false;
}

/// Opens wrappers until one of them holds the sizes itself. A text_config that leaves sizes out (LLaVA-1.5) is still the language model.
ConfigView open_wrappers(ConfigView view) {
  for (int depth = 0; depth < 4; ++depth) {
    bool opened = false;
    for (const char* name : wrappers) {
      const std::optional<ConfigView> inner = view.object({name});
      if (!inner) continue;
      if (has_sizes(view) && !has_sizes(*inner)) continue;
      view = *inner;
      opened = true;
      break;
    }
    if (!opened) break;
  }
  return view;
}

const Family* family_of(const ConfigView& view) {
  if (const auto type = view.text({"model_type"})) {
    if (const Family* f = find_family(*type)) return f;
  }
  if (const auto names = view.texts({"architectures"}); names && !names->empty()) return find_family(names->front());
  return nullptr;
}

}  // namespace

std::string model_type(const ConfigView& view) {
  if (const auto type = view.text({"model_type"}); type && !type->empty()) return *type;
  if (const auto names = view.texts({"architectures"}); names && !names->empty()) return names->front();
  return "";
}

Dialect find_dialect(const ConfigView& root) {
  const ConfigView text = open_wrappers(root);
  Dialect d{root, text, model_type(text), family_of(text)};
  if (!d.family) {
    if (const Family* outer = family_of(root)) d.family = outer, d.type = model_type(root);
  }
  if (d.type.empty()) d.type = model_type(root);
  if (d.type == "chatglm" && d.text.has("inner_hidden_size")) d.family = find_family("chatglm-first");
  if (!d.family) {
    d.family = &generic_family();
    d.generic = true;
    const std::string named = d.type.empty() ? "The configuration has no model_type" : "The model_type \"" + d.type.substr(0, 60) + "\" is not known";
    root.findings().assume("model-read-generically", named + "; it was read by its keys as a decoder like Llama.");
  }
  return d;
}

}  // namespace gpuplan
