#pragma once

#include <torch/torch.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dealer {

// Forward and backward of a dense network (DenseNetwork) on the processor without autograd, in memory that is kept from
// batch to batch: what autograd does besides the matrix products takes as long as they do. One thread works with it at
// a time; matrix products run on that thread's number of threads.
//
//   start(rows), write() all of every row, forward(); then fill output_gradient() and backward()
class DensePass {
 public:
  // widths: inputs, hidden sizes, outputs. bfloat16: of the hidden layers, as DenseNetwork::bfloat16.
  DensePass(std::vector<int> widths, bool bfloat16);

  void start(std::size_t rows);
  // Inputs of a row from `offset` on.
  void write(std::size_t row, std::size_t offset, std::span<const float> values);
  // parameters: weights [in, out] and biases in turn. The output, [rows, outputs], until the next start().
  const float* forward(const std::vector<torch::Tensor>& parameters);
  // [rows, outputs] of the loss; backward() reads it.
  float* output_gradient() { return out_gradient_.data_ptr<float>(); }
  // Of the parameters that went forward last, in their order; single precision, until the next backward().
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
  std::vector<torch::Tensor> delta_;    // of each hidden layer: the loss by what it adds up [room, width]
  torch::Tensor last_in_, last_delta_;  // single precision, where the hidden layers are not: [room, width]
  torch::Tensor out_gradient_;          // [room, outputs]
  std::vector<torch::Tensor> parameters_, weights_, weight_gradients_;  // the last two: in type_, hidden layers
  std::vector<torch::Tensor> gradients_;
};

}  // namespace dealer
