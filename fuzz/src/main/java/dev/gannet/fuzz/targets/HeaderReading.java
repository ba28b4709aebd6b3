package dev.gannet.fuzz.targets;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.fuzz.targets.NettyHpack.Field;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackDecoder;
import dev.gannet.http2.message.Flaw;
import dev.gannet.http2.message.MessageFields;
import dev.gannet.http2.message.MessagePart;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.RequestFields;
import dev.gannet.protocol.RequestHead;
import dev.gannet.protocol.RequestProtocol;
import dev.gannet.protocol.RequestProtocols;
import dev.gannet.protocol.ResponseHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Header lists to parts of HTTP messages and to the heads of gRPC requests and responses: nothing
 * throws, HTTP's rules hold for each list, what a list means does not depend on how it came, and
 * metadata that was received can be shown, and sent on.
 *
 * <pre>
 *   options (1) | chunk, mark, chunk, mark …
 *   a chunk is a header block, or (option 1) lines of text: name: value
 * </pre>
 */
public final class HeaderReading {
  private static final int AS_TEXT = 1;

  /** What an octet of a chunk may cost: a reference to a field, its string and its entry. */
  private static final int COST_OF_OCTET = 128;

  /** Four times the largest list. */
  private static final int COST_OF_CHUNK = 32 << 10;

  private HeaderReading() {}

  /** Runs one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    read(new Input(input), HeaderReading::checkRequest, HeaderReading::checkResponse);
    Budget.hold(
        () -> maxCostBytes(input),
        () -> read(new Input(input), RequestProtocols.GRPC::headOf, HeaderReading::understand));
  }

  private static long maxCostBytes(byte[] input) {
    Input in = new Input(input);
    in.octet();
    return in.chunks().size() * (long) COST_OF_CHUNK + (long) COST_OF_OCTET * input.length;
  }

  private static void understand(HeaderList list) {
    MessageFields.of(list);
    ResponseHead.of(list);
  }

  private static void read(
      Input in, Consumer<HeaderList> asRequest, Consumer<HeaderList> asAnswer) {
    boolean asText = (in.octet() & AS_TEXT) != 0;
    HpackDecoder ofRequests = decoder();
    HpackDecoder ofResponses = decoder();
    for (byte[] chunk : in.chunks()) {
      if (asText) {
        asRequest.accept(listOf(chunk));
        asAnswer.accept(listOf(chunk));
      } else {
        // A list keeps its typed attachment, and so do its fields: each decoder creates its own.
        decode(ofRequests, chunk).ifPresent(asRequest);
        decode(ofResponses, chunk).ifPresent(asAnswer);
      }
    }
  }

  private static HpackDecoder decoder() {
    return new HpackDecoder(
        HeaderLimits.DEFAULT.tableBytes(),
        HeaderLimits.DEFAULT.maxListBytes(),
        HeaderLimits.DEFAULT.maxFields());
  }

  private static Optional<HeaderList> decode(HpackDecoder decoder, byte[] block) {
    return decoder.decode(ByteBuffer.wrap(block)) instanceof HeaderList list
        ? Optional.of(list)
        : Optional.empty();
  }

  private static HeaderList listOf(byte[] lines) {
    List<HeaderField> fields = new ArrayList<>();
    for (String line : new String(lines, StandardCharsets.ISO_8859_1).split("\n", -1)) {
      int colon = line.indexOf(':', 1); // the name of a pseudo-field begins with a colon
      String name = colon < 0 ? line : line.substring(0, colon);
      fields.add(HeaderField.of(name, colon < 0 ? "" : line.substring(colon + 1).strip()));
    }
    return HeaderList.of(fields);
  }

  private static HeaderList fresh(HeaderList list) {
    List<HeaderField> fields = new ArrayList<>();
    for (HeaderField field : list) {
      fields.add(HeaderField.of(field.name(), field.value(), field.indexing()));
    }
    return HeaderList.of(fields);
  }

  /**
   * Validates a list as HTTP requires, and compares the result with a simpler implementation of the
   * rules.
   */
  private static void judge(HeaderList list) {
    List<Field> fields = Fields.plain(list);
    for (MessagePart part : MessagePart.values()) {
      Optional<Flaw> flaw = MessageFields.of(list).flawAs(part);
      Finding.unlessEqual(
          PlainMessage.isSound(fields, part), flaw.isEmpty(), part + " " + fields + " " + flaw);
      Finding.unlessEqual(
          flaw, MessageFields.of(fresh(list)).flawAs(part), "a flaw depends on its list");
    }
  }

  private static void checkRequest(HeaderList list) {
    judge(list);
    List<Object> meaning = asRequest(list);
    Finding.unlessEqual(meaning, asRequest(list), "a request changes its meaning");
    Finding.unlessEqual(meaning, asRequest(fresh(list)), "a request's meaning depends on its list");
  }

  private static List<Object> asRequest(HeaderList list) {
    return switch (RequestProtocols.GRPC.headOf(list)) {
      case RequestHead.Call call ->
          List.of(
              call.path(),
              call.authority(),
              call.encoding(),
              call.accepts(MessageEncoding.GZIP),
              call.timeoutNanos(list),
              plain(call.metadata(list)));
      case RequestHead.NotACall(RequestProtocol protocol, int httpStatus, Status status) -> {
        Finding.unless(httpStatus >= 400 && httpStatus < 600, "no HTTP status: " + httpStatus);
        yield List.of(httpStatus, status.code(), status.description());
      }
      case RequestHead.Refused(RequestProtocol protocol, Status status) ->
          List.of(status.code(), status.description());
    };
  }

  private static void checkResponse(HeaderList list) {
    List<Object> meaning = plain(ResponseHead.of(list));
    Finding.unlessEqual(meaning, plain(ResponseHead.of(list)), "a response changes its meaning");
    Finding.unlessEqual(
        meaning, plain(ResponseHead.of(fresh(list))), "a response's meaning depends on its list");
  }

  private static List<Object> plain(ResponseHead head) {
    return List.of(
        head.hasStatus(),
        head.encoding(),
        head.headersFault().map(Status::toString),
        head.endStatus().toString(),
        plain(head.metadata()));
  }

  /** All fields as text, after they were sent on as a proxy would do. */
  private static List<String> plain(Metadata metadata) {
    RequestFields.own(metadata);
    FieldTexts texts = new FieldTexts(new ArrayList<>());
    metadata.forEach(texts);
    Finding.unless(texts.all.size() == metadata.size(), "metadata shows more or less than it has");
    return texts.all;
  }

  private record FieldTexts(List<String> all) implements Metadata.Visitor {
    @Override
    public void text(String name, String value) {
      all.add(name + '=' + value);
    }

    @Override
    public void binary(String name, byte[] value) {
      Finding.unless(name.endsWith(Metadata.BINARY_SUFFIX), "a text field is binary");
      all.add(name + '=' + ByteBuffer.wrap(value).hashCode());
    }
  }
}
