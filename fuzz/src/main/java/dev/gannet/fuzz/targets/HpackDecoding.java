package dev.gannet.fuzz.targets;

import dev.gannet.fuzz.targets.NettyHpack.Field;
import dev.gannet.http2.hpack.Decoded;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackDecoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Header blocks to header lists: limits hold, nothing throws, a block that is remembered decodes as
 * one that is not, and whatever we take Netty takes too, and reads the same.
 *
 * <pre>
 *   options (1) | block, mark, block, mark …
 * </pre>
 */
public final class HpackDecoding {
  private static final int[] TABLE_BYTES = {4 << 10, 64 << 10, 100, 0};
  private static final int[] LIST_BYTES = {8 << 10, 1 << 10, 64 << 10, 40};
  private static final int[] FIELDS = {128, 8, 1_000, 1};

  /** After this block Netty's table is in the same state as ours. */
  private static final int FIRST_TABLE_BYTES = 4 << 10;

  /** What an octet of a block may cost: a field without octets takes three, and an object. */
  private static final int COST_OF_OCTET = 32;

  /** What one block may cost in addition to its octets: its list, and a cache entry. */
  private static final int COST_OF_BLOCK = 1 << 10;

  private final int maxTableBytes;
  private final int maxListBytes;
  private final int maxFields;
  private final List<byte[]> blocks;

  private HpackDecoding(Input in) {
    int options = in.octet();
    this.maxTableBytes = TABLE_BYTES[options & 3];
    this.maxListBytes = LIST_BYTES[options >>> 2 & 3];
    this.maxFields = FIELDS[options >>> 4 & 3];
    this.blocks = withRepetitions(in.chunks());
  }

  /** Runs one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    HpackDecoding decoding = new HpackDecoding(new Input(input));
    List<Decoded> decoded = decoding.decodeAll();
    decoding.compareWithDirectBuffers(decoded);
    decoding.compareWithoutMemory(decoded);
    if (decoding.maxTableBytes >= FIRST_TABLE_BYTES) {
      decoding.compareWithNetty(decoded);
    }
    Budget.hold(decoding::maxCostBytes, decoding::decodeAll);
  }

  /**
   * Blocks that do not change the table are decoded twice, so that the second one is found in the
   * cache.
   */
  private static List<byte[]> withRepetitions(List<byte[]> blocks) {
    List<byte[]> all = new ArrayList<>();
    for (byte[] block : blocks) {
      all.add(block);
      if (block.length > 0 && isIndexedOnly(block)) {
        all.add(block);
      }
    }
    return all;
  }

  private static boolean isIndexedOnly(byte[] block) {
    for (int i = 0; i < block.length; i++) {
      if (block[i] >= 0) {
        return false;
      }
      if (block[i] == -1) {
        i++;
        while (i < block.length && block[i] < 0) {
          i++;
        }
      }
    }
    return true;
  }

  private HpackDecoder decoder() {
    return new HpackDecoder(maxTableBytes, maxListBytes, maxFields);
  }

  private List<Decoded> decodeAll() {
    HpackDecoder decoder = decoder();
    List<Decoded> all = new ArrayList<>(blocks.size());
    boolean broken = false;
    for (byte[] block : blocks) {
      Decoded decoded = decoder.decode(ByteBuffer.wrap(block));
      checkLimits(decoded);
      Finding.unless(!broken || decoded instanceof Decoded.Broken, "a broken decoder went on");
      broken = decoded instanceof Decoded.Broken;
      all.add(decoded);
    }
    return all;
  }

  private void checkLimits(Decoded decoded) {
    switch (decoded) {
      case HeaderList list -> {
        int sizeBytes = 0;
        for (HeaderField field : list) {
          sizeBytes += field.sizeBytes();
        }
        Finding.unless(list.sizeBytes() == sizeBytes, "a list has another size than its fields");
        Finding.unless(sizeBytes <= maxListBytes, "a list is larger than allowed");
        Finding.unless(list.size() <= maxFields, "a list has more fields than allowed");
      }
      case Decoded.TooLarge(int sizeBytes, int fields) ->
          Finding.unless(
              sizeBytes > maxListBytes || fields > maxFields, "a list was refused that is small");
      case Decoded.Broken broken -> {}
    }
  }

  private void compareWithDirectBuffers(List<Decoded> expected) {
    HpackDecoder decoder = decoder();
    for (int i = 0; i < blocks.size(); i++) {
      byte[] block = blocks.get(i);
      ByteBuffer direct = ByteBuffer.allocate(block.length + 2).slice(1, block.length);
      ByteBuffer readOnly = direct.put(block).flip().asReadOnlyBuffer();
      Decoded decoded = decoder.decode(readOnly);
      Finding.unlessEqual(expected.get(i), decoded, "another kind of buffer changes the list");
      Finding.unless(!readOnly.hasRemaining(), "a block was not consumed");
    }
  }

  /**
   * A block that begins with a literal is not cached, so each block gets a literal in front, and
   * the limits are raised by its size. (A table size update must come first; but a block with an
   * update is not cached anyway.)
   */
  private void compareWithoutMemory(List<Decoded> expected) {
    byte[] literal = {0, 1, 'x', 0};
    HeaderField field = HeaderField.of("x", "");
    HpackDecoder decoder =
        new HpackDecoder(maxTableBytes, maxListBytes + field.sizeBytes(), maxFields + 1);
    for (int i = 0; i < blocks.size(); i++) {
      byte[] block = blocks.get(i);
      boolean changed = block.length == 0 || (block[0] & 0xe0) != 0x20;
      byte[] played = changed ? Bytes.join(literal, block) : block;
      Decoded decoded = decoder.decode(ByteBuffer.wrap(played));
      if (changed) {
        Finding.unlessEqual(
            expected.get(i), without(field, decoded), "the memory of blocks changes the list");
      }
    }
  }

  private static Decoded without(HeaderField first, Decoded decoded) {
    return switch (decoded) {
      case HeaderList list -> {
        List<HeaderField> fields = new ArrayList<>();
        list.forEach(fields::add);
        Finding.unlessEqual(first, fields.removeFirst(), "the first field is lost");
        yield HeaderList.of(fields);
      }
      case Decoded.TooLarge(int sizeBytes, int fields) ->
          new Decoded.TooLarge(sizeBytes - first.sizeBytes(), fields - 1);
      case Decoded.Broken broken -> broken;
    };
  }

  private void compareWithNetty(List<Decoded> expected) {
    NettyHpack netty = new NettyHpack();
    netty.setMaxTableBytes(maxTableBytes);
    for (int i = 0; i < blocks.size() && !(expected.get(i) instanceof Decoded.Broken); i++) {
      Optional<List<Field>> fields = netty.decode(blocks.get(i));
      Finding.unless(fields.isPresent(), "Netty does not take block " + i);
      if (expected.get(i) instanceof HeaderList list) {
        Finding.unlessEqual(
            NettyHpack.pseudoFirst(Fields.plain(list)), fields.get(), "Netty reads other fields");
      }
    }
  }

  private long maxCostBytes() {
    long cost = 4L * (maxListBytes + Math.max(maxTableBytes, FIRST_TABLE_BYTES));
    for (byte[] block : blocks) {
      cost += COST_OF_BLOCK + (long) COST_OF_OCTET * block.length;
    }
    return cost;
  }
}
