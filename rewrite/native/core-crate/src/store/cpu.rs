//! The two things that are worth asking the processor for by name; neither changes a result.

/// Starts to load the line at `place`. Does nothing on processors where it is not known how.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint that never faults, on an address that a reference makes valid anyway.
    // Without it a search of 10^7 states takes 1.9 times as long, one of 3·10^5 states 1.2 times.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Where `bytes` holds `byte`: bit i for place i.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn places_of(byte: u8, bytes: &[u8; 12]) -> u32 {
    use core::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8};
    let (head, tail) = bytes.split_at(8);
    let head = i64::from_le_bytes(head.try_into().expect("eight bytes"));
    let tail = i64::from(i32::from_le_bytes(tail.try_into().expect("four bytes")));
    // SAFETY: every x86-64 processor has SSE2, and no memory is touched. The loop below instead
    // makes a search 1.2 to 1.3 times as slow.
    let equal = unsafe {
        _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_set_epi64x(tail, head), _mm_set1_epi8(byte as i8)))
    };
    equal as u32 & 0xfff
}

/// Where `bytes` holds `byte`: bit i for place i.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn places_of(byte: u8, bytes: &[u8; 12]) -> u32 {
    plain_places_of(byte, bytes)
}

/// The same without knowing the processor.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn plain_places_of(byte: u8, bytes: &[u8; 12]) -> u32 {
    let bits = bytes.iter().enumerate().map(|(place, &have)| u32::from(have == byte) << place);
    bits.fold(0, |all, bit| all | bit)
}

#[cfg(test)]
mod tests {
    use super::{places_of, plain_places_of};

    #[test]
    fn the_fast_way_to_find_a_byte_finds_the_same_places() {
        for byte in [0, 1, 127, 128, 255_u8] {
            for seed in 0..4096_u32 {
                let bytes =
                    std::array::from_fn(|at| if seed >> at & 1 == 1 { byte } else { !byte });
                assert_eq!(places_of(byte, &bytes), seed);
                assert_eq!(plain_places_of(byte, &bytes), seed);
            }
        }
    }
}
