package dev.gannet.fuzz.targets;

import dev.gannet.fuzz.targets.NettyHpack.Field;
import dev.gannet.http2.hpack.Decoded;
import dev.gannet.http2.hpack.HeaderBlock;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackDecoder;
import dev.gannet.http2.hpack.HpackEncoder;
import dev.gannet.http2.hpack.Indexing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Header lists to blocks and back: our decoder and Netty's read what our encoder wrote, whatever
 * table sizes the peer sets between, and ours reads what Netty wrote.
 *
 * <pre>
 *   largest table (2) | chunk, mark, chunk, mark …
 *   a chunk:  kind (1), then
 *     new list:    fields, each: indexing and known name (1) | [length (1) | name] | length (1) | value
 *     same list:   which (1)
 *     table size:  bytes (4)
 * </pre>
 */
public final class HpackRoundTrip {
  private static final int MAX_LIST_BYTES = 1 << 24;
  private static final int MAX_FIELDS = 1 << 16;
  private static final int DECODER_TABLE_BYTES = 64 << 10;
  private static final int FIRST_TABLE_BYTES = 4 << 10;
  private static final int MIN_ENTRY_BYTES = 32; // RFC 7541 §4.1
  private static final List<String> NAMES =
      List.of(":path", ":authority", "te", "content-type", "grpc-timeout", "x-trace-bin", "", "a");
  private static final Indexing[] INDEXING = Indexing.values();

  private final Input in;
  private final HpackEncoder encoder;
  private final HpackDecoder decoder = decoder(DECODER_TABLE_BYTES);
  private final HpackDecoder ofNetty = decoder(FIRST_TABLE_BYTES);
  private final NettyHpack netty = new NettyHpack();
  private final HeaderBlock block = new HeaderBlock();
  private final List<HeaderList> lists = new ArrayList<>(List.of(HeaderList.EMPTY));

  private HpackRoundTrip(Input in) {
    this.in = in;
    this.encoder = new HpackEncoder(tableBytes(in.octet() << 8 | in.octet()));
  }

  /** Runs one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    Budget.holdTime(() -> new HpackRoundTrip(new Input(input)).play());
  }

  private void play() {
    for (byte[] chunk : in.chunks()) {
      Input order = new Input(chunk);
      switch (order.octet() & 7) {
        case 0 -> {
          int bytes = tableBytes((order.number() & Integer.MAX_VALUE) % (DECODER_TABLE_BYTES + 1));
          encoder.setPeerTableBytes(bytes);
          netty.setMaxTableBytes(bytes);
        }
        case 1, 2 -> roundTrip(lists.get(order.octet() % lists.size()));
        default -> {
          HeaderList list = list(order);
          lists.add(list);
          roundTrip(list);
        }
      }
    }
  }

  /** Netty treats a table as empty if the shortest entry fills it, so such sizes are omitted. */
  private static int tableBytes(int bytes) {
    return bytes > 0 && bytes % MIN_ENTRY_BYTES == 0 ? bytes - 1 : bytes;
  }

  private static HpackDecoder decoder(int maxTableBytes) {
    return new HpackDecoder(maxTableBytes, MAX_LIST_BYTES, MAX_FIELDS);
  }

  private static HeaderList list(Input from) {
    List<HeaderField> fields = new ArrayList<>();
    while (!from.isEmpty()) {
      int options = from.octet();
      boolean known = (options & 4) != 0;
      String name = known ? NAMES.get(options >>> 3 & 7) : latin1(from.octets(from.octet()));
      String value = latin1(from.octets(from.octet()));
      fields.add(HeaderField.of(name, value, INDEXING[(options & 3) % INDEXING.length]));
    }
    return HeaderList.of(fields);
  }

  private static String latin1(byte[] octets) {
    return new String(octets, StandardCharsets.ISO_8859_1);
  }

  private void roundTrip(HeaderList list) {
    block.clear();
    encoder.begin(block);
    encoder.encode(list, block);
    byte[] octets = Arrays.copyOf(block.array(), block.length());
    List<Field> fields = Fields.plain(list);
    List<Field> pseudoFirst = NettyHpack.pseudoFirst(fields);

    Decoded decoded = decoder.decode(ByteBuffer.wrap(octets));
    Finding.unlessEqual(list, decoded, "we read other fields");
    Finding.unlessEqual(secrets(list), secrets((HeaderList) decoded), "a secret is told");
    Finding.unlessEqual(Optional.of(pseudoFirst), netty.decode(octets), "Netty reads other fields");
    Finding.unlessEqual(
        listOf(pseudoFirst),
        ofNetty.decode(ByteBuffer.wrap(netty.encode(fields))),
        "we read other fields than Netty wrote");
  }

  private static List<HeaderField> secrets(HeaderList list) {
    List<HeaderField> secrets = new ArrayList<>();
    for (HeaderField field : list) {
      if (field.indexing() == Indexing.NEVER) {
        secrets.add(field);
      }
    }
    return secrets;
  }

  private static HeaderList listOf(List<Field> fields) {
    return HeaderList.of(
        fields.stream().map(field -> HeaderField.of(field.name(), field.value())).toList());
  }
}
