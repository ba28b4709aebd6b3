package dev.gannet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.engine.EngineAccess;
import dev.gannet.api.engine.MetadataAccess;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What metadata keeps, replaces and refuses. */
final class MetadataTest {
  private static final Metadata.Key<String> TEXT = Metadata.Key.ascii("text");
  private static final Metadata.Key<String> OTHER = Metadata.Key.ascii("other");
  private static final Metadata.Key<byte[]> BYTES = Metadata.Key.binary("bytes-bin");
  private static final Metadata.Key<Duration> TIME =
      Metadata.Key.ascii("time", new DurationAsText());
  private static final Metadata.Key<Long> NUMBER =
      Metadata.Key.binary("number-bin", new LongAsBytes());

  private record DurationAsText() implements Metadata.AsciiMarshaller<Duration> {
    @Override
    public String toAsciiString(Duration value) {
      return value.toString();
    }

    @Override
    public Duration parseAsciiString(String text) {
      return Duration.parse(text);
    }
  }

  private record LongAsBytes() implements Metadata.BinaryMarshaller<Long> {
    @Override
    public byte[] toBytes(Long value) {
      return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    @Override
    public Long parseBytes(byte[] bytes) {
      return ByteBuffer.wrap(bytes).getLong();
    }
  }

  private final Metadata metadata = new Metadata();

  @Test
  void addKeepsEarlierValues() {
    metadata.add(TEXT, "a");
    metadata.add(TEXT, "b");
    assertThat(metadata.getAll(TEXT)).containsExactly("a", "b");
    assertThat(metadata.get(TEXT)).contains("b");
  }

  @Test
  void setReplacesAllEarlierValuesAndNoOthers() {
    metadata.add(TEXT, "a");
    metadata.add(OTHER, "x");
    metadata.add(TEXT, "b");
    metadata.set(TEXT, "c");
    assertThat(metadata.getAll(TEXT)).containsExactly("c");
    assertThat(metadata.getAll(OTHER)).containsExactly("x");
    assertThat(metadata.size()).isEqualTo(2);
  }

  @Test
  void settingAnInvalidValueKeepsTheEarlierValues() {
    metadata.add(TEXT, "a");
    assertThatThrownBy(() -> metadata.set(TEXT, "snow\u2603"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("text");
    assertThat(metadata.getAll(TEXT)).containsExactly("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "!", "~", "a b", "a  b"})
  void aValueOfPrintableAsciiIsTaken(String value) {
    metadata.add(TEXT, value);
    assertThat(metadata.getAll(TEXT)).containsExactly(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {" ", " a", "a ", "a\tb", "\t", "a\u007f", "\u001f", "\u00e9", "\ud83d\ude00"})
  void aValueThatIsNotPrintableAsciiOrHasSpacesAroundItIsRefused(String value) {
    assertThatThrownBy(() -> metadata.add(TEXT, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("printable ASCII without spaces around it");
    assertThat(metadata.isEmpty()).isTrue();
  }

  @Test
  void setDoesNotChangeCopies() {
    metadata.add(TEXT, "a");
    Metadata copy = metadata.copy();
    metadata.set(TEXT, "b");
    assertThat(copy.get(TEXT)).contains("a");
    assertThat(metadata.get(TEXT)).contains("b");
  }

  @Test
  void removingKeepsTheOrderOfTheRest() {
    for (String value : List.of("1", "2", "3")) {
      metadata.add(OTHER, value);
      metadata.add(TEXT, value);
    }
    assertThat(metadata.removeAll(TEXT)).containsExactly("1", "2", "3");
    assertThat(metadata.getAll(OTHER)).containsExactly("1", "2", "3");
    assertThat(metadata.containsKey(TEXT)).isFalse();
  }

  @Test
  void valuesOfCustomTypesAreWrittenAndReadByTheirMarshaller() {
    metadata.add(TIME, Duration.ofSeconds(90));
    metadata.add(NUMBER, 42L);
    assertThat(metadata.get(TIME)).contains(Duration.ofSeconds(90));
    assertThat(metadata.get(NUMBER)).contains(42L);
    assertThat(metadata.get(Metadata.Key.ascii("time"))).contains("PT1M30S");
    assertThat(metadata.get(Metadata.Key.binary("number-bin")).orElseThrow())
        .containsExactly(0, 0, 0, 0, 0, 0, 0, 42);
  }

  @Test
  void aMarshallerOfTextThatIsNotPrintableIsRefused() {
    Metadata.Key<String> shouting = Metadata.Key.ascii("shouting", new Shouting());
    assertThatThrownBy(() -> metadata.add(shouting, "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shouting");
    assertThat(metadata.isEmpty()).isTrue();
  }

  private record Shouting() implements Metadata.AsciiMarshaller<String> {
    @Override
    public String toAsciiString(String value) {
      return value + "\n";
    }

    @Override
    public String parseAsciiString(String text) {
      return text;
    }
  }

  @Test
  void bytesAreCopiedWhenAddedAndWhenRead() {
    byte[] sent = {1, 2};
    metadata.add(BYTES, sent);
    sent[0] = 9;
    byte[] got = metadata.get(BYTES).orElseThrow();
    got[1] = 9;
    assertThat(metadata.get(BYTES).orElseThrow()).containsExactly(1, 2);
  }

  @Test
  void aReplacingMergeRemovesEarlierValuesOfTheSameNames() {
    Metadata.Key<String> user = Metadata.Key.ascii("user");
    Metadata.Key<String> trace = Metadata.Key.ascii("trace");
    Metadata metadata = new Metadata();
    metadata.add(user, "a");
    metadata.add(trace, "t");
    metadata.add(user, "b");
    Metadata copy = metadata.copy();
    Metadata other = new Metadata();
    other.add(user, "c");
    other.add(user, "d");
    metadata.mergeReplacing(other);
    assertThat(metadata.getAll(user)).containsExactly("c", "d");
    assertThat(metadata.getAll(trace)).containsExactly("t");
    assertThat(copy.getAll(user)).containsExactly("a", "b");
  }

  @Test
  void replacingFieldsByThemselvesChangesNothing() {
    Metadata metadata = new Metadata();
    metadata.add(TEXT, "1");
    metadata.add(TEXT, "2");
    metadata.mergeReplacing(metadata);
    assertThat(metadata.getAll(TEXT)).containsExactly("1", "2");
  }

  private static Metadata sharedEmpty() {
    return (Metadata) EngineAccess.get(MetadataAccess.class, Metadata.class).sharedEmpty();
  }

  @Test
  void theEmptyMetadataThatCallsShareCannotBeChanged() {
    Metadata empty = sharedEmpty();
    Metadata other = new Metadata();
    other.add(TEXT, "1");

    assertThatThrownBy(() -> empty.add(TEXT, "1"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> empty.merge(other)).isInstanceOf(UnsupportedOperationException.class);
    assertThat(sharedEmpty().isEmpty()).isTrue();
  }

  @Test
  void aCopyOfItCanBeChanged() {
    Metadata copy = sharedEmpty().copy();
    copy.add(TEXT, "1");

    assertThat(copy.get(TEXT)).hasValue("1");
    assertThat(sharedEmpty().isEmpty()).isTrue();
  }

  @Test
  void aLogLineContainsNoSecret() {
    Metadata metadata = new Metadata();
    metadata.add(Metadata.Key.ascii("authorization"), "Bearer secret");
    metadata.add(Metadata.Key.ascii("grpc-retry-pushback-ms"), "100");
    metadata.add(Metadata.Key.binary("key-bin"), new byte[3]);
    assertThat(metadata.toString())
        .isEqualTo(
            "Metadata(authorization=13 characters, grpc-retry-pushback-ms=100, key-bin=3 bytes)");
    assertThat(metadata.toStringWithValues()).contains("authorization=Bearer secret");
  }
}
