package dev.gannet.conformance.gauntlet.wire;

/**
 * The header blocks of one connection's calls: the first one fills the server's dynamic table, all
 * later ones are six octets that refer to it. No request is cheaper for the sender. For one thread
 * and one connection.
 */
public final class Requests {
  /** A unary method that answers at once. */
  public static final String UNARY = "/grpc.testing.TestService/UnaryCall";

  /** A method that waits for further requests. */
  public static final String UPLOAD = "/grpc.testing.TestService/StreamingInputCall";

  /** A method that sends what was requested. */
  public static final String DOWNLOAD = "/grpc.testing.TestService/StreamingOutputCall";

  private static final int POST = 3; // of the static table
  private static final int HTTP = 6; // of the static table
  private static final int FIRST_DYNAMIC = 62;
  private static final int OWN_FIELDS = 4;

  private final String path;
  private boolean tableFilled;

  private Requests(String path) {
    this.path = path;
  }

  /** The requests for one method. */
  public static Requests to(String path) {
    return new Requests(path);
  }

  /** The next request's fields. */
  public byte[] next() {
    return nextWith(new BlockWriter());
  }

  /** The next request's fields, followed by those of {@code more}. */
  public byte[] nextWith(BlockWriter more) {
    BlockWriter block = new BlockWriter().indexed(POST).indexed(HTTP);
    if (tableFilled) {
      for (int i = OWN_FIELDS - 1; i >= 0; i--) {
        block.indexed(FIRST_DYNAMIC + i);
      }
    } else {
      tableFilled = true;
      block
          .stored(":path", path)
          .stored(":authority", "localhost")
          .stored("content-type", "application/grpc")
          .stored("te", "trailers");
    }
    for (byte octet : more.bytes()) {
      block.raw(octet);
    }
    return block.bytes();
  }

  /** The next request's fields, without a change of the dynamic table. */
  public static byte[] untabled(String path, BlockWriter more) {
    return untabled(path, "localhost", more);
  }

  /** The fields of a request for {@link #UNARY} with another authority. */
  public static byte[] untabledTo(String authority) {
    return untabled(UNARY, authority, new BlockWriter());
  }

  private static byte[] untabled(String path, String authority, BlockWriter more) {
    BlockWriter block =
        new BlockWriter()
            .indexed(POST)
            .indexed(HTTP)
            .unstored(":path", path)
            .unstored(":authority", authority)
            .unstored("content-type", "application/grpc")
            .unstored("te", "trailers");
    for (byte octet : more.bytes()) {
      block.raw(octet);
    }
    return block.bytes();
  }
}
