package dev.gannet.transport.http2;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.RequestFields;
import dev.gannet.transport.CallStart;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The request fields that calls of one connection share if they have the same method, authority and
 * encoding: always the same object, so that its HPACK encoding can be reused. If there are very
 * many, all are forgotten and created again. Confined to the connection's loop.
 */
final class SharedRequestFields {
  static final int MAX_LISTS = 1024;

  private final String ownAuthority;
  private final String scheme;
  private final String userAgent;
  private final String acceptEncoding;
  private final Predicate<String> certified;
  private final Map<String, Map<String, Map<MessageEncoding, HeaderList>>> byMethod =
      new HashMap<>();
  private int lists;

  /** The last result: many connections carry calls of one method only. */
  private Last last = new Last("", "", MessageEncoding.IDENTITY, HeaderList.EMPTY);

  private record Last(
      String method, String authority, MessageEncoding encoding, HeaderList fields) {
    /** Compares the texts only if they are different objects. */
    boolean isFor(CallStart<?, ?> start, String authority) {
      return method.equals(start.method().fullMethodName())
          && this.authority.equals(authority)
          && encoding.equals(start.encoding());
    }
  }

  /**
   * The fields of a connection.
   *
   * @param ownAuthority of calls that have no other
   * @param scheme {@code http} or {@code https}
   * @param userAgent the client's user agent
   * @param acceptEncoding the encodings that the client accepts
   * @param certified decides for which authorities the server has proved its identity
   */
  SharedRequestFields(
      String ownAuthority,
      String scheme,
      String userAgent,
      String acceptEncoding,
      Predicate<String> certified) {
    this.ownAuthority = ownAuthority;
    this.scheme = scheme;
    this.userAgent = userAgent;
    this.acceptEncoding = acceptEncoding;
    this.certified = certified;
  }

  /**
   * The fields of such a call.
   *
   * @throws StatusException if the server is not certified for the call's authority (gRFC A81)
   */
  HeaderList of(CallStart<?, ?> start) {
    String authority = start.authority().orElse(ownAuthority);
    if (last.isFor(start, authority)) {
      return last.fields;
    }
    HeaderList known = find(start, authority);
    HeaderList fields = known == null ? make(start, authority) : known;
    last = new Last(start.method().fullMethodName(), authority, start.encoding(), fields);
    return fields;
  }

  /** Nested maps: a key of all three would be one more object for each call. */
  private @Nullable HeaderList find(CallStart<?, ?> start, String authority) {
    var byAuthority = byMethod.get(start.method().fullMethodName());
    var byEncoding = byAuthority == null ? null : byAuthority.get(authority);
    return byEncoding == null ? null : byEncoding.get(start.encoding());
  }

  private HeaderList make(CallStart<?, ?> start, String authority) {
    if (!certified.test(authority)) {
      throw Status.UNAVAILABLE
          .withDescription("the server's certificate does not name " + authority)
          .asException();
    }
    if (lists == MAX_LISTS) {
      byMethod.clear();
      lists = 0;
    }
    String method = start.method().fullMethodName();
    HeaderList made =
        RequestFields.shared(
            scheme, userAgent, authority, method, start.encoding(), acceptEncoding);
    byMethod
        .computeIfAbsent(method, it -> new HashMap<>())
        .computeIfAbsent(authority, it -> new HashMap<>())
        .put(start.encoding(), made);
    lists++;
    return made;
  }
}
