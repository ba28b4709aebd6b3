package dev.gannet.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.engine.EngineAccess;
import dev.gannet.api.engine.MetadataAccess;
import org.junit.jupiter.api.Test;

/** What is taken out of metadata is gone from it, and from nothing else. */
final class DiscardedMetadataTest {
  private static final Metadata.Key<String> USER = Metadata.Key.ascii("user");
  private static final Metadata.Key<String> TRACE = Metadata.Key.ascii("trace");
  private static final Metadata.Key<byte[]> BINARY = Metadata.Key.binary("some-bin");

  private final Metadata metadata = new Metadata();

  private void addSome() {
    metadata.add(USER, "a");
    metadata.add(BINARY, new byte[] {1});
    metadata.add(USER, "b");
    metadata.add(TRACE, "t");
    metadata.add(BINARY, new byte[] {2});
  }

  @Test
  void allValuesOfANameAreDiscarded() {
    addSome();
    metadata.discardAll(USER);
    assertThat(metadata.containsKey(USER)).isFalse();
    assertThat(metadata.toStringWithValues())
        .isEqualTo("Metadata(some-bin=1 bytes, trace=t, some-bin=1 bytes)");
    metadata.discardAll(BINARY);
    assertThat(metadata.toStringWithValues()).isEqualTo("Metadata(trace=t)");
    metadata.discardAll(TRACE);
    assertThat(metadata.isEmpty()).isTrue();
  }

  @Test
  void discardingAnAbsentNameChangesNothing() {
    metadata.discardAll(USER);
    assertThat(metadata.isEmpty()).isTrue();
    metadata.add(TRACE, "t");
    metadata.discardAll(USER);
    assertThat(metadata.toStringWithValues()).isEqualTo("Metadata(trace=t)");
  }

  @Test
  void discardingValuesDoesNotChangeCopies() {
    addSome();
    Metadata copy = metadata.copy();
    metadata.discardAll(USER);
    assertThat(copy.getAll(USER)).containsExactly("a", "b");
    assertThat(copy.size()).isEqualTo(5);
    metadata.add(USER, "c");
    assertThat(metadata.get(USER)).hasValue("c");
    assertThat(copy.get(USER)).hasValue("b");
  }

  @Test
  void discardingReceivedMetadataDoesNotChangeTheReceivedFields() {
    Object[] fields = {"user", "a", "trace", "t"};
    MetadataAccess access = EngineAccess.get(MetadataAccess.class, Metadata.class);
    ((Metadata) access.received(fields)).discardAll(USER);
    assertThat(fields).containsExactly("user", "a", "trace", "t");
  }

  @Test
  void removeAllReturnsTheValuesInTheirOrder() {
    addSome();
    assertThat(metadata.removeAll(USER)).containsExactly("a", "b");
    assertThat(metadata.removeAll(USER)).isEmpty();
    assertThat(metadata.size()).isEqualTo(3);
  }
}
