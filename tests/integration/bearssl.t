#!/bin/bash
# BearSSL's own known-answer tests, of what is used here, against the very archive
# that ships.
. "$(dirname "$0")/lib.sh"
src=$(echo "$top"/build/x86_64-musl/bearssl)
[[ -x $top/$BUILD/testcrypto && -x $top/$BUILD/testx509 ]] || skip_all 'this build has none (make kat)'
GROUPS_USED=(SHA256 SHA384 SHA512 HMAC HMAC_DRBG PRF AES_ct64 AES_x86ni AES_CTRCBC_ct64 AES_CTRCBC_x86ni ChaCha20_ct
	ChaCha20_sse2 Poly1305_ctmulq GHASH_ctmul64 GHASH_pclmul GCM EC_p256_m31 EC_prime_i31 EC_c25519_m31 ECDSA_i31 RSA_i62)
for group in "${GROUPS_USED[@]}"; do
	run -t 120 "$top/$BUILD/testcrypto" "$group"
	ok "$group: known answers" test "$rc" = 0
	# an unknown name prints nothing, and is no error
	like "$T/out" '^Test |done|not available|passed' "$group: something was tested"
done
cd "$src" || exit 1
run -t 60 "$top/$BUILD/testx509"
ok 'certificates: known answers' test "$rc" = 0 || tail -n 3 "$T/out" "$T/err" | sed 's/^/# /'
ok 'certificates: were tested' test "$(wc -l <"$T/out")" -gt 20
done_testing
