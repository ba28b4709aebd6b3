package dev.gannet.transport.netty;

import javax.net.ssl.SSLSession;

/**
 * The form of records after the handshake.
 *
 * @param overheadBytes how much longer the content of a record is than the application data in it,
 *     if it is not padded
 * @param mayRenegotiate whether that version of TLS knows renegotiation
 */
record TlsRecordFormat(int overheadBytes, boolean mayRenegotiate) {
  private static final int TAG_BYTES = 16; // RFC 5116 §5.1
  private static final int TYPE_BYTES = 1; // RFC 8446 §5.2
  private static final int NONCE_BYTES = 8; // RFC 5288 §3; RFC 7905 §2 has none

  static TlsRecordFormat of(SSLSession session) {
    if (session.getProtocol().equals("TLSv1.3")) {
      return new TlsRecordFormat(TAG_BYTES + TYPE_BYTES, false);
    }
    boolean hasNonce = !session.getCipherSuite().contains("CHACHA20");
    return new TlsRecordFormat(hasNonce ? TAG_BYTES + NONCE_BYTES : TAG_BYTES, true);
  }
}
