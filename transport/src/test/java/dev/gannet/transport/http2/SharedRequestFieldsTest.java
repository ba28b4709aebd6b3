package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.StatusException;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.RequestFields;
import dev.gannet.transport.CallMessages;
import dev.gannet.transport.CallStart;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What requests have in common is made once, and is each time that of their own kind. */
final class SharedRequestFieldsTest {
  private final SharedRequestFields fields =
      new SharedRequestFields(
          "own",
          "http",
          RequestFields.userAgent("app/1.0"),
          "identity",
          authority -> !authority.equals("x"));

  private HeaderList of(String method, String authority, MessageEncoding encoding) {
    HeaderList list =
        fields.of(
            new CallStart<>(
                MethodDescriptor.of(MethodType.UNARY, method, Nothing.AT_ALL, Nothing.AT_ALL),
                authority.equals("own") ? Optional.empty() : Optional.of(authority),
                new Metadata(),
                Optional.empty(),
                new CallMessages(encoding, 0, 0)));
    assertThat(list)
        .isEqualTo(
            RequestFields.shared(
                "http",
                "app/1.0 " + RequestFields.USER_AGENT,
                authority,
                method,
                encoding,
                "identity"));
    return list;
  }

  private HeaderList of(String method, String authority) {
    return of(method, authority, MessageEncoding.IDENTITY);
  }

  @Test
  void equalRequestsGetTheSameList() {
    HeaderList first = of("s/A", "a");
    HeaderList gzipped = of("s/A", "a", MessageEncoding.GZIP);
    HeaderList elsewhere = of("s/A", "b");
    HeaderList other = of("s/B", "a");
    assertThat(of("s/A", "a")).isSameAs(first);
    assertThat(of("s/A", "a", MessageEncoding.GZIP)).isSameAs(gzipped);
    assertThat(of("s/A", "b")).isSameAs(elsewhere);
    assertThat(of("s/B", "a")).isSameAs(other);
  }

  @Test
  void anAuthorityThatTheCertificateDoesNotNameIsRefused() {
    assertThatThrownBy(() -> of("s/A", "x")).hasMessageContaining("does not name x");
    assertThatThrownBy(() -> of("s/A", "x")).isInstanceOf(StatusException.class);
  }

  @Test
  void noMoreListsAreKeptThanTheLimit() {
    HeaderList first = of("s/A", "a");
    for (int i = 2; i <= SharedRequestFields.MAX_LISTS; i++) {
      HeaderList another = i % 2 == 0 ? of("s/A", "host-" + i) : of("s/M" + i, "a");
      assertThat(another).isNotSameAs(first);
    }
    assertThat(of("s/A", "a")).isSameAs(first);
    HeaderList one = of("s/A", "one more");
    assertThat(of("s/A", "a")).isNotSameAs(first);
    assertThat(of("s/A", "one more")).isSameAs(one);
  }

  /** Of messages that there are none of. */
  private enum Nothing implements Marshaller<Object> {
    AT_ALL;

    @Override
    public void write(Object message, MessageSink sink) {
      sink.reserve(0);
    }

    @Override
    public Object parse(ByteBuffer bytes) {
      return this;
    }
  }
}
