package dev.gannet.conformance.interop;

import com.google.protobuf.ByteString;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import io.grpc.testing.integration.Messages.Payload;

/** The checks of the cases; each fails with a {@link Mismatch} that names both values. */
final class Expect {
  private Expect() {}

  static void equal(String what, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new Mismatch(what, expected, actual);
    }
  }

  /** Fails unless the payload is this many zero bytes and nothing else. */
  static void zeros(String what, int sizeBytes, Payload payload) {
    ByteString body = payload.getBody();
    equal("size of " + what, sizeBytes, body.size());
    for (int i = 0; i < body.size(); i++) {
      if (body.byteAt(i) != 0) {
        throw new Mismatch("byte " + i + " of " + what, 0, body.byteAt(i));
      }
    }
  }

  /** The status that the work fails with, which must have that code. */
  static Status failure(String what, Status.Code code, Runnable work) {
    try {
      work.run();
    } catch (StatusException e) {
      if (e.status().code() != code) {
        throw new Mismatch("status of " + what, code, e.status());
      }
      return e.status();
    }
    throw new Mismatch("status of " + what, code, Status.OK);
  }
}
