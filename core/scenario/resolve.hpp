#pragma once
/// Ids become data: the model behind a name, the machines behind a GPU or an offer, the software that can do the task.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/explain.hpp"
#include "core/layout/job.hpp"
#include "core/result.hpp"
#include "core/scenario/knowledge.hpp"
#include "core/scenario/scenario.hpp"

namespace gpuplan {

/// The model of a scenario. `held` keeps a model alive that the person brought.
struct ResolvedModel {
  std::shared_ptr<const Architecture> held;
  const Architecture* architecture = nullptr;
  std::optional<WeightFormat> named_weights;  ///< what a quantised re-upload's name says
  bool variant = false;                       ///< the name is a variant of the architecture's own id
  std::vector<Note> notes;                    ///< what reading a described model assumed, which model a variant's name stands for
};
Result<ResolvedModel> resolve_model(const Knowledge&, const Scenario&);

/// A machine that can be had, with its price: an offer of the catalog or what the person described.
struct Offer {
  int instance = -1;            ///< index into the catalog, -1 = described by gpu, gpu_spec or profile
  std::shared_ptr<const Gpu> held;  ///< a card that the person described
  std::shared_ptr<const std::vector<Device>> devices;  ///< cards of a box that differ
  Machine machine;              ///< one node
  double usd_per_hour = 0.0;    ///< of one node; 0 = unknown
  std::string price_date;
  int price_of_instance = -1;   ///< the offer whose price per GPU-hour stands in when the machine itself has none
  bool can_cluster = false;     ///< several of them join over RDMA
};

/// The offers that a scenario allows: one when it names hardware, else all of the catalog that the policy lets through.
/// `now` is an ISO date, for the age of prices ("" = ages are not judged).
Result<std::vector<Offer>> resolve_offers(const Knowledge&, const Scenario&, const std::string& now);

/// Software that may run the task, the preferred first; one when the scenario names it. Indices into the catalog.
Result<std::vector<int>> resolve_software(const Knowledge&, const Scenario&);

/// USD per hour of one node of an instance by the policy's kind of price, 0 when there is no such rate: an owner's rate is that of an own catalog
/// or of the policy, a reserved one that of the offer or the policy's discount. A person's exchange rate wins over the catalog's.
double usd_per_hour(const Knowledge&, const Instance&, const Policy&);

/// Why there is no price of this kind and what to do, to follow the field's name: what is asked for is never answered with another kind of price.
const char* missing_rate(Pricing);

/// Whole days from one ISO date to another; empty when either is not a date.
std::optional<long> days_between(const std::string& from, const std::string& to);

}  // namespace gpuplan
