package dev.gannet.protocol;

import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * The request protocols of a process: gRPC, and those that {@code ServiceLoader} finds. Immutable.
 */
final class RequestProtocols {
  /** Loaded when the first connection is accepted. */
  private static final RequestProtocols INSTALLED = new RequestProtocols(found());

  private final List<RequestProtocol> others;

  /** Those, and gRPC, which is asked first. */
  RequestProtocols(List<RequestProtocol> others) {
    this.others = List.copyOf(others);
  }

  private static List<RequestProtocol> found() {
    ClassLoader ours = RequestProtocol.class.getClassLoader();
    return ServiceLoader.load(RequestProtocol.class, ours).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  /** Reads a list with the installed protocols. */
  static RequestHead readInstalled(HeaderList fields) {
    return INSTALLED.read(fields);
  }

  /**
   * Reads a list: as gRPC by its pattern, if that is known, or by the protocol of its content-type.
   */
  RequestHead read(HeaderList fields) {
    RequestHead known = RequestPattern.headOf(fields);
    return known == null ? protocolOf(fields).read(fields) : known;
  }

  /** The protocol of a request; gRPC rejects requests that no protocol claims. */
  private RequestProtocol protocolOf(HeaderList fields) {
    if (!others.isEmpty()) {
      String contentType = contentType(fields);
      if (!ContentType.isGrpc(contentType)) {
        for (RequestProtocol other : others) {
          if (other.speaks(contentType)) {
            return other;
          }
        }
      }
    }
    return GrpcRequests.GRPC;
  }

  private static String contentType(HeaderList fields) {
    for (int i = 0; i < fields.size(); i++) {
      HeaderField field = fields.field(i);
      if (field.name().equals(FieldNames.CONTENT_TYPE)) {
        return field.value();
      }
    }
    return "";
  }
}
