package dev.gannet.protocol;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Function;

/** The request protocols of a server: gRPC, which is asked first, and others. Immutable. */
public final class RequestProtocols {
  /** gRPC alone. */
  public static final RequestProtocols GRPC = new RequestProtocols(List.of());

  private final List<RequestProtocol> others;
  private final Function<HeaderList, RequestHead> reader = this::read;

  private RequestProtocols(List<RequestProtocol> others) {
    this.others = others;
  }

  /**
   * gRPC and these, for a server.
   *
   * @param methods the methods that the server was built with
   */
  public static RequestProtocols of(
      List<RequestProtocol> others, List<MethodDescriptor<?, ?>> methods) {
    return others.isEmpty()
        ? GRPC
        : new RequestProtocols(others.stream().map(it -> it.withMethods(methods)).toList());
  }

  /** The protocols besides gRPC that {@code ServiceLoader} finds. */
  public static List<RequestProtocol> found() {
    ClassLoader ours = RequestProtocol.class.getClassLoader();
    return ServiceLoader.load(RequestProtocol.class, ours).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  /** The head of a request, by the protocol to which it belongs; cached in the list. */
  public RequestHead headOf(HeaderList fields) {
    return fields.attachment(RequestHead.class, reader);
  }

  /** Reads a list: as gRPC by its pattern, if that is known, or by the protocol that claims it. */
  private RequestHead read(HeaderList fields) {
    RequestHead known = RequestPattern.headOf(fields);
    return known == null ? protocolOf(fields).read(fields) : known;
  }

  /** The protocol of a request; gRPC answers requests that no protocol claims. */
  private RequestProtocol protocolOf(HeaderList fields) {
    if (!others.isEmpty() && !GrpcRequests.GRPC.speaks(fields)) {
      for (RequestProtocol other : others) {
        if (other.speaks(fields)) {
          return other;
        }
      }
    }
    return GrpcRequests.GRPC;
  }

  /** The first {@code content-type} of a request; empty if it has none. */
  public static String contentType(HeaderList fields) {
    return firstValue(fields, FieldNames.CONTENT_TYPE);
  }

  /** The value of the first field with that name; empty if there is none. */
  public static String firstValue(HeaderList fields, String name) {
    for (int i = 0; i < fields.size(); i++) {
      HeaderField field = fields.field(i);
      if (field.name().equals(name)) {
        return field.value();
      }
    }
    return "";
  }
}
