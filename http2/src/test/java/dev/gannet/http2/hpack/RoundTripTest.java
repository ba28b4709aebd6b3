package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the encoder writes, the decoder reads, and both tables stay the same. */
final class RoundTripTest {
  private static final int BLOCKS = 1500;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89})
  void anyListsAreDecodedUnchangedAndBothTablesAreEqual(long seed) {
    new Run(seed).play();
  }

  private static final class Run {
    private final long seed;
    private final Random random;
    private final int maxTableBytes;
    private final HpackEncoder encoder;
    private final HpackDecoder decoder;
    private final HeaderBlock out = new HeaderBlock();
    private final List<String> names = new ArrayList<>();
    private final List<HeaderField> fields = new ArrayList<>();
    private final List<HeaderList> lists = new ArrayList<>();

    Run(long seed) {
      this.seed = seed;
      random = new Random(seed);
      maxTableBytes = random.nextInt(3) == 0 ? 4096 : random.nextInt(10_000);
      encoder = new HpackEncoder(random.nextInt(10_000));
      decoder = new HpackDecoder(maxTableBytes, 1 << 24, 10_000);
      encoder.setPeerTableBytes(maxTableBytes);
      for (int i = 0; i < 20; i++) {
        names.add(text(1 + random.nextInt(20)));
        names.add(StaticTable.name(1 + random.nextInt(StaticTable.SIZE)));
      }
    }

    void play() {
      for (int block = 0; block < BLOCKS; block++) {
        if (random.nextInt(20) == 0) {
          changeTableSize();
        }
        List<HeaderField> sent = new ArrayList<>();
        out.clear();
        encoder.begin(out);
        for (int part = random.nextInt(3); part >= 0; part--) {
          HeaderList list = list();
          encoder.encode(list, out);
          list.forEach(sent::add);
        }
        String where = "seed " + seed + ", block " + block;
        Decoded decoded = decoder.decode(buffer());
        assertThat(decoded).as(where).isEqualTo(HeaderList.of(sent));
        compareIndexing((HeaderList) decoded, sent, where);
        compareTables(where);
      }
    }

    private void changeTableSize() {
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        encoder.setPeerTableBytes(random.nextInt(maxTableBytes + 1));
      }
    }

    /** A list from before, one that repeats fields, or a new one. */
    private HeaderList list() {
      if (!lists.isEmpty() && random.nextInt(3) > 0) {
        return lists.get(Math.max(0, lists.size() - 1 - random.nextInt(12)));
      }
      List<HeaderField> chosen = new ArrayList<>();
      for (int count = random.nextInt(12); count > 0; count--) {
        chosen.add(field());
      }
      HeaderList list = HeaderList.of(chosen);
      lists.add(list);
      return list;
    }

    private HeaderField field() {
      if (!fields.isEmpty() && random.nextInt(4) > 0) {
        return fields.get(Math.max(0, fields.size() - 1 - random.nextInt(40)));
      }
      String name = names.get(random.nextInt(names.size()));
      String value = text(random.nextInt(random.nextInt(30) == 0 ? 3000 : 40));
      int kind = random.nextInt(10);
      Indexing indexing =
          kind == 0 ? Indexing.NEVER : kind < 3 ? Indexing.SKIPPED : Indexing.ALLOWED;
      HeaderField field = HeaderField.of(name, value, indexing);
      fields.add(field);
      return field;
    }

    private String text(int length) {
      int kind = random.nextInt(4);
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < length; i++) {
        text.append((char) (kind == 0 ? random.nextInt(256) : 'a' + random.nextInt(26)));
      }
      return text.toString();
    }

    private ByteBuffer buffer() {
      ByteBuffer octets = Octets.block(out);
      return switch (random.nextInt(3)) {
        case 0 -> octets;
        case 1 -> octets.asReadOnlyBuffer();
        default -> ByteBuffer.allocateDirect(out.length()).put(octets).flip();
      };
    }

    private void compareIndexing(HeaderList arrived, List<HeaderField> sent, String where) {
      for (int i = 0; i < sent.size(); i++) {
        Indexing asked = sent.get(i).indexing();
        Indexing seen = arrived.field(i).indexing();
        if (asked == Indexing.ALLOWED) {
          assertThat(seen).as(where).isNotEqualTo(Indexing.NEVER);
        } else {
          assertThat(seen).as(where).isEqualTo(asked);
        }
      }
    }

    private void compareTables(String where) {
      DynamicTable ours = encoder.table();
      DynamicTable theirs = decoder.table();
      assertThat(theirs.capacityBytes()).as(where).isEqualTo(ours.capacityBytes());
      assertThat(theirs.sizeBytes()).as(where).isEqualTo(ours.sizeBytes());
      assertThat(theirs.sizeBytes()).as(where).isLessThanOrEqualTo(theirs.capacityBytes());
      assertThat(theirs.count()).as(where).isEqualTo(ours.count());
      for (int age = 0; age < ours.count(); age++) {
        assertThat(theirs.aged(age)).as(where).isEqualTo(ours.aged(age));
      }
    }
  }
}
