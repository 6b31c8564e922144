/* What the tokeniser needs of C: bit masks of runs of letters, ASCII folding, packed lanes.
 *
 * The baseline instruction set does all of it; elsewhere plain loops give the same bits. */
#ifndef LIKEWISE_RUNS_H
#define LIKEWISE_RUNS_H

#include <stdint.h>
#include <string.h>
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
/* one bit for each of 64 bytes, set where the byte is not zero */
static inline uint64_t likewise_mask8(const uint8_t *p) {
    const __m128i zero = _mm_setzero_si128();
    uint64_t mask = 0;
    for (int k = 0; k < 4; k++)
        mask |= (uint64_t)(uint16_t)_mm_movemask_epi8(
            _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(p + 16 * k)), zero)) << (16 * k);
    return ~mask;
}
static inline uint64_t likewise_mask16(const uint16_t *p) {
    const __m128i zero = _mm_setzero_si128();
    uint64_t mask = 0;
    for (int k = 0; k < 4; k++) {
        __m128i low = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)(p + 16 * k)), zero);
        __m128i high = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)(p + 16 * k + 8)), zero);
        mask |= (uint64_t)(uint16_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) << (16 * k);
    }
    return ~mask;
}
#else
static inline uint64_t likewise_mask8(const uint8_t *p) {
    uint64_t mask = 0;
    for (int k = 0; k < 64; k++) mask |= (uint64_t)(p[k] != 0) << k;
    return mask;
}
static inline uint64_t likewise_mask16(const uint16_t *p) {
    uint64_t mask = 0;
    for (int k = 0; k < 64; k++) mask |= (uint64_t)(p[k] != 0) << k;
    return mask;
}
#endif
#if defined(_MSC_VER)
#include <intrin.h>
static inline int likewise_low_bit(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
#else
static inline int likewise_low_bit(uint64_t x) { return __builtin_ctzll(x); }
#endif
/* A-Z to a-z, 0-9 and a-z as they are, everything else to zero; the compiler makes this SIMD */
static inline void likewise_fold_ascii(const uint8_t *restrict s, uint8_t *restrict out, size_t n) {
    for (size_t k = 0; k < n; k++) {
        uint8_t c = s[k], low = c | 0x20;
        uint8_t letter = (uint8_t)(low - 'a') < 26, digit = (uint8_t)(c - '0') < 10;
        out[k] = (uint8_t)(-letter & low) | (uint8_t)(-digit & c);
    }
}
static inline uint64_t likewise_load64(const void *p) { uint64_t v; memcpy(&v, p, 8); return v; }
/* the low bytes of up to eight characters, and whether their high bytes are all `page` */
static inline int likewise_pack(const uint16_t *p, int count, unsigned page, uint64_t *lane) {
#if defined(__SSE2__) || defined(_M_X64)
    static const uint16_t MASKS[16] = {
        0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0, 0, 0, 0, 0, 0, 0, 0};
    __m128i mask = _mm_loadu_si128((const __m128i *)(MASKS + 8 - count));
    __m128i chars = _mm_and_si128(_mm_loadu_si128((const __m128i *)p), mask);
    __m128i pages = _mm_and_si128(_mm_set1_epi16((short)page), mask);
    __m128i low = _mm_and_si128(chars, _mm_set1_epi16(0xFF));
    _mm_storel_epi64((__m128i *)lane, _mm_packus_epi16(low, low));
    return _mm_movemask_epi8(_mm_cmpeq_epi16(_mm_srli_epi16(chars, 8), pages)) == 0xFFFF;
#else
    int same = 1;
    *lane = 0;
    for (int k = 0; k < count; k++) {
        *lane |= (uint64_t)(p[k] & 0xFF) << (8 * k);
        same &= (p[k] >> 8) == page;
    }
    return same;
#endif
}
/* The same constants stand in tokens.py; a property test keeps the two in step. */
#define LW_SEED_8 0x9E3779B97F4A7C15ULL
#define LW_SEED_16 0xC2B2AE3D27D4EB4FULL
#define LW_SEED_32 0x165667B19E3779F9ULL
#define LW_PAGE 0xA0761D6478BD642FULL
#define LW_STEP 0x9FB21C651E98DF25ULL
#define LW_FINISH 0xD6E8FEB86659FD93ULL
#define LW_SPECIAL 0x80000000u
#define LW_KIND 0xFF000000u
#define LW_SKIP 0x80000000u
#define LW_HYPHEN 0x81000000u
#define LW_SINGLE 0x82000000u
#define LW_SIGN 0x83000000u
#define LW_SOFT_HYPHEN 0x84000000u
#define LW_CODEPOINT 0x00FFFFFFu
#define LW_JOIN_HYPHENS 1
#define LW_DROP_URLS 2
#define LW_SIGNS_ARE_WORDS 4

#endif
