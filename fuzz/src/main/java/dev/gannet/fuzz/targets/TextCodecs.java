package dev.gannet.fuzz.targets;

import dev.gannet.protocol.BinaryHeader;
import dev.gannet.protocol.ContentType;
import dev.gannet.protocol.GrpcTimeout;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.PercentEncoding;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The values of gRPC's own fields: whatever a peer sends is read without a throw, and what we send
 * reads back as it was.
 *
 * <pre>
 *   codec (1) | value
 * </pre>
 */
public final class TextCodecs {
  /** What an octet may cost: a comma in a binary field separates two values. */
  private static final int COST_OF_OCTET = 256;

  private static final int FIXED_BYTES = 64 << 10;
  private static final int ESCAPE_BYTES = 3;
  private static final int MAX_TIMEOUT = 9;

  private TextCodecs() {}

  /** Runs one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    Budget.hold(
        () -> FIXED_BYTES + (long) COST_OF_OCTET * input.length, () -> play(new Input(input)));
  }

  private static void play(Input in) {
    int codec = in.octet() & 7;
    byte[] rest = in.rest();
    String latin1 = new String(rest, StandardCharsets.ISO_8859_1);
    switch (codec) {
      case 0 -> percentDecode(latin1);
      case 1 -> percentEncode(new String(rest, StandardCharsets.UTF_8));
      case 2 -> percentEncode(new String(rest, StandardCharsets.UTF_16BE));
      case 3 -> binaryDecode(latin1);
      case 4 -> binaryEncode(rest);
      case 5 -> timeoutParse(latin1);
      case 6 -> timeoutFormat(new Input(rest));
      default -> lists(latin1);
    }
  }

  private static void percentDecode(String value) {
    String text = PercentEncoding.decode(value);
    Finding.unless(
        utf8(text).length <= Math.max(PercentEncoding.MAX_DECODED_BYTES, 0) * ESCAPE_BYTES,
        "a decoded text is longer than allowed");
    if (utf8(text).length * ESCAPE_BYTES <= PercentEncoding.MAX_ENCODED_BYTES) {
      String again = PercentEncoding.decode(PercentEncoding.encode(text));
      Finding.unlessEqual(text, again, "a decoded text changes on its way on");
    }
  }

  private static void percentEncode(String text) {
    String value = PercentEncoding.encode(text);
    Finding.unless(value.length() <= PercentEncoding.MAX_ENCODED_BYTES, "a value is too long");
    Finding.unless(
        value.chars().allMatch(c -> c >= ' ' && c <= '~') && value.equals(value.strip()),
        "a value is no field value");
    String whole = new String(utf8(text), StandardCharsets.UTF_8).replace('?', '\ufffd');
    String read = PercentEncoding.decode(value).replace('?', '\ufffd');
    boolean fits = utf8(text).length * ESCAPE_BYTES <= PercentEncoding.MAX_ENCODED_BYTES;
    Finding.unless(
        fits ? read.equals(whole) : whole.startsWith(read) || read.isEmpty(),
        "a text changes on its way");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void binaryDecode(String value) {
    Optional<List<byte[]>> values = BinaryHeader.decode(value);
    if (values.isPresent()) {
      String joined = String.join(",", values.get().stream().map(BinaryHeader::encode).toList());
      List<byte[]> again = BinaryHeader.decode(joined).orElseThrow();
      Finding.unlessEqual(wrapped(values.get()), wrapped(again), "binary values change");
    }
  }

  private static void binaryEncode(byte[] value) {
    String text = BinaryHeader.encode(value);
    Finding.unless(
        text.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '+' || c == '/'),
        "a binary value is no base64");
    List<byte[]> read = BinaryHeader.decode(text).orElseThrow();
    Finding.unless(
        read.size() == 1 && Arrays.equals(read.getFirst(), value), "a binary value changes");
  }

  private static List<ByteBuffer> wrapped(List<byte[]> values) {
    return values.stream().map(ByteBuffer::wrap).toList();
  }

  private static void timeoutParse(String text) {
    OptionalLong nanos = GrpcTimeout.parseNanos(text);
    boolean wellFormed = text.matches("[0-9]{1,8}[HMSmun]");
    Finding.unless(nanos.isPresent() == wellFormed, "another grammar than PROTOCOL-HTTP2's");
    if (nanos.isPresent() && nanos.getAsLong() < Long.MAX_VALUE) {
      OptionalLong again = GrpcTimeout.parseNanos(GrpcTimeout.format(nanos.getAsLong()));
      Finding.unlessEqual(nanos, again, "a timeout changes on its way on");
    }
  }

  private static void timeoutFormat(Input in) {
    long nanos = (long) in.number() << Integer.SIZE | (in.number() & 0xffff_ffffL);
    String text = GrpcTimeout.format(nanos);
    Finding.unless(text.length() <= MAX_TIMEOUT, "a timeout is too long");
    long read = GrpcTimeout.parseNanos(text).orElseThrow();
    long least = Math.max(0, nanos);
    // The next larger unit after the one whose 8 digits are too few: at most 1000 times as long.
    long most = least + least / 99_999 + 1;
    Finding.unless(read >= least && (most < 0 || read <= most), "a timeout changes: " + nanos);
  }

  private static void lists(String value) {
    boolean listed =
        Arrays.stream(value.split(",", -1)).anyMatch(name -> name.strip().equals("gzip"));
    boolean accepts = MessageEncoding.accepts(value, MessageEncoding.GZIP);
    Finding.unless(!accepts || value.contains("gzip"), "gzip is accepted and not named");
    Finding.unless(accepts || !value.matches("[a-z, ]*") || !listed, "gzip is named, not accepted");
    Finding.unless(
        !ContentType.isGrpc(value) || value.regionMatches(true, 0, "application/grpc", 0, 16),
        "another content type counts as gRPC's");
    Finding.unless(
        MessageEncodings.DEFAULT.read(value).stream().allMatch(it -> it.wireName().equals(value)),
        "another name counts as an encoding's");
  }
}
