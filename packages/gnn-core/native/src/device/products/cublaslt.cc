#include "cublaslt.h"

namespace gnn::device {

template <typename Function>
void CublasLt::find(Function*& function, const char* name) {
  function = library_.find<Function>(name);
  if (function == nullptr && why_.empty()) why_ = std::string("the library has no ") + name;
}

CublasLt::CublasLt(const std::vector<std::string>& names) : library_(names), why_(library_.why()) {
  if (library_.is_open()) why_.clear();
  find(create, "cublasLtCreate");
  find(destroy, "cublasLtDestroy");
  find(version, "cublasLtGetVersion");
  find(make_descriptor, "cublasLtMatmulDescCreate");
  find(destroy_descriptor, "cublasLtMatmulDescDestroy");
  find(set, "cublasLtMatmulDescSetAttribute");
  find(make_layout, "cublasLtMatrixLayoutCreate");
  find(destroy_layout, "cublasLtMatrixLayoutDestroy");
  find(make_preference, "cublasLtMatmulPreferenceCreate");
  find(destroy_preference, "cublasLtMatmulPreferenceDestroy");
  find(prefer, "cublasLtMatmulPreferenceSetAttribute");
  find(choose, "cublasLtMatmulAlgoGetHeuristic");
  find(multiply, "cublasLtMatmul");
}

}  // namespace gnn::device
