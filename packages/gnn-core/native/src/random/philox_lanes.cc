// Whole 64-bit products of 32-bit words are one instruction where the compiler, given 64-bit lanes, takes three.
#include "gnn/random/philox_lanes.h"

#if !defined(GNN_PORTABLE) && defined(__x86_64__) && __GNUC__ >= 12 && !defined(__clang__) && defined(__gnu_linux__)
#define GNN_PHILOX_X86
#include <immintrin.h>
#endif

namespace gnn {
namespace {

#ifdef GNN_PHILOX_X86

// Words sit in 64-bit lanes; what is left in the upper halves is never read.
__attribute__((target("arch=x86-64-v4"))) void permute(Words c[4], uint32_t key0, uint32_t key1) {
  const __m512i m0 = _mm512_set1_epi64(kPhiloxM0), m1 = _mm512_set1_epi64(kPhiloxM1);
  __m512i state[4][2];
  for (int w = 0; w < 4; ++w) {
    const auto* from = reinterpret_cast<const __m256i*>(c + w);
    state[w][0] = _mm512_cvtepu32_epi64(_mm256_loadu_si256(from));
    state[w][1] = _mm512_cvtepu32_epi64(_mm256_loadu_si256(from + 1));
  }
  for (int round = 0; round < 10; ++round) {
    const __m512i k0 = _mm512_set1_epi64(key0), k1 = _mm512_set1_epi64(key1);
    for (int half = 0; half < 2; ++half) {
      const __m512i p0 = _mm512_mul_epu32(state[0][half], m0), p1 = _mm512_mul_epu32(state[2][half], m1);
      state[0][half] = _mm512_xor_si512(_mm512_srli_epi64(p1, 32), _mm512_xor_si512(state[1][half], k0));
      state[1][half] = p1;
      state[2][half] = _mm512_xor_si512(_mm512_srli_epi64(p0, 32), _mm512_xor_si512(state[3][half], k1));
      state[3][half] = p0;
    }
    key0 += kPhiloxW0;
    key1 += kPhiloxW1;
  }
  for (int w = 0; w < 4; ++w) {
    auto* to = reinterpret_cast<__m256i*>(c + w);
    _mm256_storeu_si256(to, _mm512_cvtepi64_epi32(state[w][0]));
    _mm256_storeu_si256(to + 1, _mm512_cvtepi64_epi32(state[w][1]));
  }
}

__attribute__((target("arch=x86-64-v3"))) void permute(Words c[4], uint32_t key0, uint32_t key1) {
  const __m256i m0 = _mm256_set1_epi64x(kPhiloxM0), m1 = _mm256_set1_epi64x(kPhiloxM1);
  for (int quarter = 0; quarter < 4; ++quarter) {
    __m256i state[4];
    for (int w = 0; w < 4; ++w) {
      state[w] = _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(c + w) + quarter));
    }
    uint32_t k0 = key0, k1 = key1;
    for (int round = 0; round < 10; ++round) {
      const __m256i p0 = _mm256_mul_epu32(state[0], m0), p1 = _mm256_mul_epu32(state[2], m1);
      state[0] = _mm256_xor_si256(_mm256_srli_epi64(p1, 32), _mm256_xor_si256(state[1], _mm256_set1_epi64x(k0)));
      state[1] = p1;
      state[2] = _mm256_xor_si256(_mm256_srli_epi64(p0, 32), _mm256_xor_si256(state[3], _mm256_set1_epi64x(k1)));
      state[3] = p0;
      k0 += kPhiloxW0;
      k1 += kPhiloxW1;
    }
    const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    for (int w = 0; w < 4; ++w) {
      const __m256i low = _mm256_permutevar8x32_epi32(state[w], even);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(c + w) + quarter, _mm256_castsi256_si128(low));
    }
  }
}

__attribute__((target("default")))
#endif
void permute(Words c[4], uint32_t key0, uint32_t key1) {
  for (int lane = 0; lane < kLanes; ++lane) {
    uint32_t words[4] = {c[0][lane], c[1][lane], c[2][lane], c[3][lane]};
    philox4x32(words, key0, key1);
    for (int w = 0; w < 4; ++w) c[w][lane] = words[w];
  }
}

}  // namespace

// The call that the loader binds to one of the versions has to see them all.
void philox_lanes(Words c[4], uint32_t key0, uint32_t key1) { permute(c, key0, key1); }

}  // namespace gnn
