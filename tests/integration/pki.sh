# Certificates of every kind, made by openssl in the folder $P.
# shellcheck shell=bash

# key NAME ALG: rsa:BITS or a curve
key()
{
	case $2 in
	rsa:*) openssl genrsa -out "$P/$1.key" "${2#rsa:}" 2>/dev/null ;;
	*) openssl ecparam -name "$2" -genkey -noout -out "$P/$1.key" 2>/dev/null ;;
	esac
}

# certificate NAME ISSUER EXTENSIONS [DIGEST [DAYS-FROM DAYS-TO]]: ISSUER "" signs
# itself. The subject is CN=NAME.
certificate()
{
	local name=$1 issuer=$2 digest=${4:-sha256} from=${5:--1} to=${6:-30}
	printf '%b' "$3" >"$P/$name.ext"
	openssl req -new -key "$P/$name.key" -subj "/CN=$name" -out "$P/$name.csr" 2>/dev/null || return 1
	mkdir -p "$P/ca" && : >"$P/ca/index.txt"
	cat >"$P/ca/cnf" <<-END
		[ca]
		default_ca = c
		[c]
		database = $P/ca/index.txt
		new_certs_dir = $P/ca
		policy = p
		unique_subject = no
		rand_serial = yes
		[p]
		commonName = supplied
	END
	openssl ca -batch -config "$P/ca/cnf" -in "$P/$name.csr" -out "$P/$name.crt" -md "$digest" -notext \
		-startdate "$(date -u -d "$from days" +%Y%m%d%H%M%SZ)" -enddate "$(date -u -d "$to days" +%Y%m%d%H%M%SZ)" \
		-extfile "$P/$name.ext" -keyfile "$P/${issuer:-$name}.key" \
		$([[ -n $issuer ]] && echo "-cert $P/$issuer.crt" || echo -selfsign) >"$P/$name.log" 2>&1
}

CA='basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n'
LEAF='basicConstraints=critical,CA:FALSE\nsubjectAltName=DNS:good.test\n'

# pki: a root, an intermediate, a good leaf, of RSA and of EC; then the bad ones.
# What a server shows is NAME.pem.
pki()
{
	key root rsa:2048 && certificate root '' "$CA" &&
		key inter rsa:2048 && certificate inter root "$CA" &&
		key good rsa:2048 && certificate good inter "$LEAF" &&
		cat "$P/good.crt" "$P/inter.crt" >"$P/good.pem" &&
		key ecroot secp384r1 && certificate ecroot '' "$CA" sha384 &&
		key ecinter secp384r1 && certificate ecinter ecroot "$CA" sha384 &&
		key ecgood prime256v1 && certificate ecgood ecinter "$LEAF" sha384 &&
		cat "$P/ecgood.crt" "$P/ecinter.crt" >"$P/ecgood.pem"
}

# bad NAME KEY ISSUER EXTENSIONS [DIGEST FROM TO]: a leaf with the intermediate
bad()
{
	key "$1" "$2" && certificate "$1" "$3" "$4" "${@:5}" && cat "$P/$1.crt" "$P/inter.crt" >"$P/$1.pem"
}

bad_pki()
{
	bad expired rsa:2048 inter "$LEAF" sha256 -30 -2
	bad early rsa:2048 inter "$LEAF" sha256 5 30
	bad othername rsa:2048 inter "${LEAF/good.test/other.test}"
	bad sha1 rsa:2048 inter "$LEAF" sha1
	bad weak rsa:1024 inter "$LEAF"
	bad critical rsa:2048 inter "${LEAF}1.2.3.4=critical,ASN1:UTF8String:x\n"
	key selfsigned rsa:2048 && certificate selfsigned '' "$LEAF" && cp "$P/selfsigned.crt" "$P/selfsigned.pem"
	cp "$P/good.crt" "$P/alone.pem" && cp "$P/good.key" "$P/alone.key"
	cat "$P/good.crt" "$P/root.crt" "$P/inter.crt" >"$P/order.pem" && cp "$P/good.key" "$P/order.key"
	key leafca rsa:2048 && certificate leafca good "$LEAF" && cat "$P/leafca.crt" "$P/good.crt" "$P/inter.crt" >"$P/leafca.pem"
	bad noeku rsa:2048 inter "${LEAF}extendedKeyUsage=clientAuth\n"
	bad p521 secp521r1 inter "$LEAF"
	key otherroot rsa:2048 && certificate otherroot '' "$CA"
}
