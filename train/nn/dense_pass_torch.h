#pragma once

#include <torch/torch.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dealer {

// Forward and backward pass of a dense network (DenseNetwork) on the processor without autograd, in memory reused from
// batch to batch: autograd's overhead takes as long as the matrix products. Used by one thread at a time; matrix
// products use that thread's number of threads.
//
//   start(rows), write() all of every row, forward(); then fill output_gradient() and backward()
class DensePass {
 public:
  // widths: inputs, hidden sizes, outputs. bfloat16: of the hidden layers, as DenseNetwork::bfloat16.
  DensePass(std::vector<int> widths, bool bfloat16);

  void start(std::size_t rows);
  // Input of a row from `offset` on.
  void write(std::size_t row, std::size_t offset, std::span<const float> values);
  // parameters: weights [in, out] and biases alternating. The output, [rows, outputs], is valid until the next start().
  const float* forward(const std::vector<torch::Tensor>& parameters);
  // Gradient of the loss by the output, [rows, outputs]; backward() reads it.
  float* output_gradient() { return out_gradient_.data_ptr<float>(); }
  // Gradients of the last forward()'s parameters, in their order; single precision, valid until the next backward().
  const std::vector<torch::Tensor>& backward();

 private:
  torch::Tensor used(const torch::Tensor& buffer) const { return buffer.narrow(0, 0, rows_); }
  bool is_last(std::size_t layer) const { return layer + 1 == layers_; }
  torch::Tensor input_of(std::size_t layer) const;
  torch::Tensor weight_of(std::size_t layer) const;

  std::vector<int> widths_;
  std::size_t layers_;
  torch::ScalarType type_;  // of all but the last layer
  std::int64_t rows_ = 0, room_ = -1;
  torch::Tensor in_;                    // [room, inputs]
  std::vector<torch::Tensor> out_;      // of each layer [room, width]
  std::vector<torch::Tensor> delta_;    // of each hidden layer: gradient by its pre-activation sum [room, width]
  torch::Tensor last_in_, last_delta_;  // single precision, where the hidden layers are not: [room, width]
  torch::Tensor out_gradient_;          // [room, outputs]
  std::vector<torch::Tensor> parameters_, weights_, weight_gradients_;  // the last two: in type_, hidden layers
  std::vector<torch::Tensor> gradients_;
};

}  // namespace dealer
