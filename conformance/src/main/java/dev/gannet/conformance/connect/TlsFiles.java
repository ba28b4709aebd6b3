package dev.gannet.conformance.connect;

import connectrpc.conformance.v1.ConfigOuterClass.TLSCreds;
import dev.gannet.api.Pem;
import dev.gannet.api.TlsIdentity;
import java.io.IOException;

/** Certificates and keys as the suite hands them out: PEM in messages. */
final class TlsFiles {
  private TlsFiles() {}

  static TlsIdentity identity(TLSCreds credentials) throws IOException {
    return TlsIdentity.of(
        Pem.of(credentials.getCert().newInput()), Pem.of(credentials.getKey().newInput()));
  }
}
