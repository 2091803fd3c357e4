#include <cmath>

#include "core/plan/technique.hpp"
#include "core/view/format.hpp"
#include "core/view/make.hpp"

namespace gpuplan {
namespace {

/// "tp2" → {"tp", "2"}: the degree at the end of a technique word.
std::pair<std::string, std::string> split_degree(const std::string& word) {
  std::size_t at = word.size();
  while (at > 0 && word[at - 1] >= '0' && word[at - 1] <= '9') --at;
  return {word.substr(0, at), word.substr(at)};
}

void erase_all(std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  if (at != std::string::npos) text.erase(at, part.size());
}

/// "GeForce RTX 3090" → "RTX 3090 24 GB": without the line's name and remarks in brackets, with the size as sold.
std::string gpu_text(const Gpu& gpu) {
  std::string out = gpu.name;
  for (const char* line : {"GeForce ", "Tesla ", "Instinct "}) erase_all(out, line);
  const std::size_t open = out.find(" (");
  if (open != std::string::npos) out.erase(open);
  const std::string size = fixed(gpu.memory_advertised.value / 1e9, 0);
  erase_all(out, " " + size + "GB");
  return out + " " + size + " GB";
}

void add_part(std::vector<BarPart>& out, const char* id, double fraction, const std::string& text, const Strings& strings, const char* prefix) {
  if (fraction <= 0.0) return;
  out.push_back({id, strings.text(std::string(prefix) + id), text, fraction});
}

}  // namespace

std::string technique_word(const std::string& word, const Strings& strings) {
  if (strings.has("technique." + word)) return strings.text("technique." + word);
  const auto [name, degree] = split_degree(word);
  if (!degree.empty() && strings.has("technique." + name)) return strings.text("technique." + name, {{"n", degree}});
  std::string upper;
  for (const char c : word) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return upper;
}

std::string machine_text(const Machine& m, const Strings& strings) {
  const std::string gpus = strings.text("machine.gpus", {{"n", std::to_string(m.gpus_per_node.n)}, {"gpu", gpu_text(*m.gpu)}});
  return m.nodes.n == 1 ? gpus : strings.text("machine.nodes", {{"n", std::to_string(m.nodes.n)}, {"gpus", gpus}});
}

std::string technique_text(const Job& job, const Layout& layout, const Strings& strings) {
  std::string out;
  for (const std::string& word : technique(job, layout)) out += (out.empty() ? "" : " · ") + technique_word(word, strings);
  return out;
}

std::string age_text(const std::string& price_date, const ViewSettings& v, long* days) {
  if (days) *days = -1;
  if (price_date.empty()) return v.strings.text("age.undated");
  const auto age = days_between(price_date, v.now);
  if (!age) return price_date;
  if (days) *days = *age;
  if (*age <= 0) return v.strings.text("age.today");
  if (*age == 1) return v.strings.text("age.day");
  if (*age < 60) return v.strings.text("age.days", {{"n", std::to_string(*age)}});
  if (*age < 730) return v.strings.text("age.months", {{"n", std::to_string((*age + 15) / 30)}});
  return v.strings.text("age.years", {{"n", std::to_string(*age / 365)}});
}

std::string money_text(const Knowledge& k, const Policy& p, double usd) {
  const double rate = p.currency == "CNY" && p.usd_per_cny ? *p.usd_per_cny : usd_per_unit(k.catalog, p.currency);
  return rate > 0.0 ? money(usd / rate, p.currency) : money(usd, "USD");
}

std::vector<BarPart> memory_bar(const Memory& m, const Strings& strings) {
  struct Part { const char* id; Bytes value; };
  const MemoryParts& p = m.parts;
  const Part parts[] = {{"weights", p.weights}, {"adapters", p.adapters}, {"gradients", p.gradients}, {"optimizer", p.optimizer}, {"master_weights", p.master_weights},
                        {"activations", p.activations}, {"logits", p.logits}, {"kv_cache", p.kv_cache}, {"state_cache", p.state_cache}, {"workspace", p.workspace},
                        {"cuda_graphs", p.cuda_graphs}, {"communication", p.communication}, {"context", p.context}, {"fragmentation", p.fragmentation}};
  // Parts that overflow the card are drawn to scale with each other: the bar is then as long as what is needed.
  const Bytes whole = max(m.usable, m.used);
  std::vector<BarPart> out;
  for (const Part& part : parts) add_part(out, part.id, part.value / whole, bytes_text(part.value).joined(), strings, "memory.");
  if (m.used < m.usable) add_part(out, "free", (m.usable - m.used) / whole, bytes_text(m.usable - m.used).joined(), strings, "memory.");
  return out;
}

std::vector<BarPart> time_bar(const TimeParts& t, const Strings& strings) {
  struct Part { const char* id; Seconds value; };
  const Part parts[] = {{"compute", t.compute}, {"memory", t.memory}, {"exposed_comm", t.exposed_comm}, {"bubble", t.bubble}, {"overhead", t.overhead}};
  std::vector<BarPart> out;
  for (const Part& part : parts) add_part(out, part.id, part.value / t.total(), duration_text(part.value, strings).joined(), strings, "time.");
  return out;
}

std::string note_text(const Note& n, const Strings& strings) {
  const std::string key = "note." + n.code;
  return strings.has(key) ? strings.text(key, {{"text", n.text}}) : n.text;
}

std::string problem_text(const Problem& p, const Strings& strings) {
  const std::string key = std::string("problem.") + name(p.code);
  if (!strings.has(key)) return p.message;
  std::string nearest;
  for (const std::string& n : p.nearest) nearest += (nearest.empty() ? "" : ", ") + n;
  std::string out = strings.text(key, {{"field", p.pointer.empty() ? strings.text("problem.input") : p.pointer}, {"message", p.message}});
  // Sentences that carry the core's own message already name the nearest ids.
  if (!nearest.empty() && out.find(p.nearest.front()) == std::string::npos) out += strings.text("problem.nearest", {{"ids", nearest}});
  return out;
}

}  // namespace gpuplan
