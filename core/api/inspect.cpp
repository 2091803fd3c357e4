#include "core/api/inspect.hpp"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "core/api/inspect_answer.hpp"
#include "core/api/inspect_profile.hpp"
#include "core/api/operations.hpp"
#include "core/catalog/profile.hpp"
#include "core/json/text.hpp"
#include "core/model/architecture_json.hpp"
#include "core/model/files/file_model.hpp"
#include "core/model/files/header.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

json described(const DescribedModel& m) { return {{"architecture", write_architecture(m.architecture)}}; }

/// Python writes Infinity and NaN into JSON, which the format does not know; outside texts they become null.
std::string without_python_numbers(std::string_view text) {
  std::string out(text);
  bool in_string = false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (in_string && out[i] == '\\') {
      ++i;
    } else if (out[i] == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
        if (out.compare(i, word.size(), word) == 0) out.replace(i, word.size(), "null");
      }
    }
  }
  return out;
}

/// model.safetensors.index.json names the parts and the bytes of all of them, but no shapes.
json index_answer(const json& index) {
  json names = json::array();
  for (const auto& item : index["weight_map"].items()) {
    const json& file = item.value();
    if (file.is_string() && (names.empty() || names.back() != file)) names.push_back(file);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto metadata = index.find("metadata");
  const bool sized = metadata != index.end() && metadata->is_object() && metadata->contains("total_size") && (*metadata)["total_size"].is_number();
  return {{"kind", "safetensors_index"}, {"tensors", index["weight_map"].size()}, {"total_bytes", sized ? (*metadata)["total_size"] : json(nullptr)}, {"files", names},
          {"assumptions", json::array({{{"code", "model-index-only"}, {"text", "An index names the parts of a model; give the parts or the config.json to read the architecture."}}})}};
}

Result<json> inspect_text(const Catalog& catalog, std::string_view text) {
  auto parsed = parse_json(without_python_numbers(text), "The file");
  if (!parsed) return parsed.problem();
  if (!parsed->is_object()) return Problem{"", ProblemCode::wrong_type, "The file must hold a JSON object (a config.json, an index or a profile), not " + type_name(*parsed) + ".", {}};
  if (parsed->contains("weight_map") && (*parsed)["weight_map"].is_object()) return index_answer(*parsed);
  if (parsed->contains("profile_version") || parsed->contains("measured_on")) {
    auto profile = read_profile(text);
    if (!profile) return profile.problem();
    return inspect_profile(catalog, *profile);
  }
  const bool own = parsed->contains("architecture") && parsed->size() == 1;
  auto model = own ? read_described_model("architecture", (*parsed)["architecture"], "/architecture") : read_described_model("hf_config", *parsed, "");
  if (!model) return model.problem();
  return inspect_answer(own ? "architecture" : "hf_config", *model, described(*model));
}

bool is_json(const FileStart& f) {
  const std::size_t at = f.bytes.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && f.bytes[at] == '{' && f.bytes.size() == f.file_bytes;
}

Problem in_file(Problem p, const FileStart& f) {
  p.message = excerpt(f.name, 200) + ": " + p.message;
  return p;
}

struct Headers {
  std::vector<FileHeader> parts;
  const FileStart* config = nullptr;
  std::optional<json> need;
};

/// How many first bytes to ask for: what is missing is known only up to the next entry, so at least twice as many as before.
std::uint64_t next_read(const FileStart& f, std::uint64_t needed) {
  const bool grows = is_gguf_file(f.bytes);
  const std::uint64_t wanted = grows ? std::max<std::uint64_t>({needed, 2 * f.bytes.size(), std::uint64_t{1} << 20}) : needed;
  return std::min(wanted, std::max(f.file_bytes, needed));
}

Result<Headers> read_headers(const std::vector<FileStart>& files) {
  Headers out;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const FileStart& f = files[i];
    if (f.header) {
      out.parts.push_back(*f.header);
      continue;
    }
    if (is_json(f)) {
      out.config = &f;
      continue;
    }
    auto read = is_gguf_file(f.bytes) || f.bytes.size() < 4 ? read_gguf_header(f.bytes, f.file_bytes) : read_safetensors_header(f.bytes, f.file_bytes);
    if (!read) return in_file(read.problem(), f);
    if (!read->header) {
      out.need = json{{"need", {{"file", i}, {"bytes", next_read(f, read->needed_bytes)}}}};
      return out;
    }
    out.parts.push_back(*std::move(read->header));
  }
  return out;
}

json file_facts(const std::vector<FileHeader>& parts) {
  double bytes = 0.0, elements = 0.0, tensors = 0.0;
  std::map<std::string, double> by_type;
  for (const FileHeader& p : parts) {
    bytes += p.bytes(), elements += p.elements(), tensors += static_cast<double>(p.tensors.size());
    for (const FileTensor& t : p.tensors) by_type[t.type] += t.bytes;
  }
  json types = json::object();
  for (const auto& [type, sum] : by_type) types[type] = static_cast<std::int64_t>(sum);
  return {{"format", parts[0].format}, {"version", parts[0].version}, {"big_endian", parts[0].big_endian}, {"parts", parts.size()}, {"parts_in_all", parts[0].parts},
          {"tensors", static_cast<std::int64_t>(tensors)}, {"tensor_bytes", static_cast<std::int64_t>(bytes)}, {"elements", static_cast<std::int64_t>(elements)},
          {"header_bytes", parts[0].header_bytes}, {"bytes_by_type", types}};
}

Result<DescribedModel> model_of_parts(const Headers& h) {
  if (h.config) {
    auto config = parse_json(without_python_numbers(h.config->bytes), "The configuration");
    if (!config) return in_file(config.problem(), *h.config);
    auto model = read_described_model("hf_config", *config, "");
    if (!model) return in_file(model.problem(), *h.config);
    take_stored_types(h.parts, model->architecture);
    model->weights = parse_weight_format(model->architecture.published_dtype);
    return model;
  }
  return h.parts[0].format == "gguf" ? model_of_gguf(h.parts, "") : model_of_safetensors(h.parts, "");
}

Result<json> inspect_id(const Models& models, const json& id) {
  if (!id.is_string()) return Problem{"/id", ProblemCode::wrong_type, "/id must be text, not " + type_name(id) + ".", {}};
  auto match = find_model(models, id.get_ref<const std::string&>(), "/id");
  if (!match) return match.problem();
  DescribedModel m;
  m.architecture = models.all[static_cast<std::size_t>(match->index)];
  m.weights = match->weights;
  if (match->variant) m.assumptions.push_back({"model-variant", Severity::info, "The name was read as a variant of " + m.architecture.id + "."});
  return inspect_answer("catalog", m, {{"id", m.architecture.id}});
}

}  // namespace

Result<json> inspect_files(const Knowledge& k, const std::vector<FileStart>& files) {
  if (files.empty()) return Problem{"", ProblemCode::missing_field, "No file was given.", {}};
  if (files.size() == 1 && is_json(files[0])) {
    auto answer = inspect_text(k.catalog, files[0].bytes);
    return answer ? answer : Result<json>(in_file(answer.problem(), files[0]));
  }
  if (files.size() == 1 && files[0].file_bytes == 0 && !files[0].header) return in_file({"", ProblemCode::syntax, "The file is empty.", {}}, files[0]);
  auto headers = read_headers(files);
  if (!headers) return headers.problem();
  if (headers->need) return *headers->need;
  if (headers->parts.empty()) return Problem{"", ProblemCode::missing_field, "None of the files is a GGUF or safetensors file.", {}};
  auto model = model_of_parts(*headers);
  if (!model) return files.size() == 1 ? in_file(model.problem(), files[0]) : model.problem();
  json answer = inspect_answer(headers->parts[0].format.c_str(), *model, described(*model));
  answer["file"] = file_facts(headers->parts);
  return answer;
}

Result<json> inspect(const Knowledge& k, const json& request) {
  if (request.contains("id")) return inspect_id(k.models, request["id"]);
  if (request.contains("files")) return inspect_encoded(k, request["files"]);
  if (request.contains("text")) {
    if (!request["text"].is_string()) return Problem{"/text", ProblemCode::wrong_type, "/text must be text, not " + type_name(request["text"]) + ".", {}};
    return inspect_text(k.catalog, request["text"].get_ref<const std::string&>());
  }
  for (const char* kind : {"hf_config", "architecture", "gguf", "safetensors"}) {
    if (!request.contains(kind)) continue;
    const json& body = request[kind];
    if (!body.is_object()) return Problem{child("", kind), ProblemCode::wrong_type, child("", kind) + " must be an object, not " + type_name(body) + ".", {}};
    auto model = read_described_model(kind, body, child("", kind));
    if (!model) return model.problem();
    return inspect_answer(kind, *model, described(*model));
  }
  return Problem{"", ProblemCode::missing_field, "The request needs one of id, text, files, hf_config, architecture, gguf or safetensors.", {}};
}

Answer inspect_op(const Context& context, const json& request) { return inspect(context.knowledge, request); }

}  // namespace gpuplan
