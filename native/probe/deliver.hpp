#pragma once
/// What happens with a finished profile: upload, link, QR code.
#include <atomic>
#include <optional>
#include <string>

#include "core/catalog/profile.hpp"
#include "native/probe/options.hpp"
#include "native/probe/upload.hpp"

namespace gpuplan::probe {

struct Delivery {
  bool upload = false, link = false, qr = true;
  UploadRequest request;  ///< without body
  std::string page;
};

/// Checks address and token before anything is measured. Returns the problem, if any.
std::optional<std::string> prepare_delivery(const Options&, Delivery&);

/// Uploads `text` and prints the link as asked; `file` is named in messages as the copy that is kept. Returns an exit status.
int deliver(const Delivery&, const Profile&, const std::string& text, const std::string& file, const std::atomic<bool>& stop);

}  // namespace gpuplan::probe
