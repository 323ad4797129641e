"""Certificates for tests, made on the spot: an authority, and anyone who it signs for, as PEM files."""

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = datetime.timedelta(days=1)


Valid = tuple[datetime.timedelta, datetime.timedelta]  # from and until, from now on
A_YEAR: Valid = -DAY, 365 * DAY


class Authority:
    """Signs certificates into a folder; its own is there as ``{name}.pem``."""

    def __init__(self, folder: Path, name: str = "authority", valid: Valid = A_YEAR) -> None:
        self._folder = folder
        self._name = _named(name)
        self._key = ec.generate_private_key(ec.SECP256R1())
        own = self._signed(name, self._key, valid)
        own = own.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        self.file = self._write(f"{name}.pem", own)

    def sign(self, name: str, valid: Valid = A_YEAR, host: str = "127.0.0.1") -> tuple[Path, Path]:
        """Certificate and key with this common name, valid for this host too."""
        key = ec.generate_private_key(ec.SECP256R1())
        named = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(host))])
        key_file = self._folder / f"{name}.key"
        key_file.write_bytes(_pem(key, serialization.NoEncryption()))
        signed = self._signed(name, key, valid).add_extension(named, critical=False)
        return self._write(f"{name}.pem", signed), key_file

    def revoke(self, certificate: Path) -> Path:
        """A revocation list with this one certificate."""
        now = datetime.datetime.now(datetime.UTC)
        number = x509.load_pem_x509_certificate(certificate.read_bytes()).serial_number
        revoked = x509.RevokedCertificateBuilder().serial_number(number).revocation_date(now - DAY).build()
        builder = x509.CertificateRevocationListBuilder(self._name, now - DAY, now + DAY, [], [revoked])
        file = certificate.with_suffix(".crl")
        file.write_bytes(builder.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
        return file

    def _signed(self, name: str, key: ec.EllipticCurvePrivateKey, valid: Valid) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        return x509.CertificateBuilder(
            issuer_name=self._name,
            subject_name=_named(name),
            public_key=key.public_key(),
            serial_number=x509.random_serial_number(),
            not_valid_before=now + valid[0],
            not_valid_after=now + valid[1],
        )

    def _write(self, name: str, certificate: x509.CertificateBuilder) -> Path:
        file = self._folder / name
        file.write_bytes(certificate.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
        return file


def with_pass_phrase(key_file: Path) -> Path:
    """The same key in a file that asks for a pass phrase."""
    key = serialization.load_pem_private_key(key_file.read_bytes(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    locked = key_file.with_suffix(".locked")
    locked.write_bytes(_pem(key, serialization.BestAvailableEncryption(b"secret")))
    return locked


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _pem(key: ec.EllipticCurvePrivateKey, encryption: serialization.KeySerializationEncryption) -> bytes:
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption)
