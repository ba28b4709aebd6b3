package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fields and lists as values. */
final class HeaderFieldTest {
  @Test
  void aFieldHasTheSizeOfItsOctetsAnd32() {
    assertThat(HeaderField.of("name", "value").sizeBytes()).isEqualTo(41);
    assertThat(HeaderField.of("", "").sizeBytes()).isEqualTo(32);
  }

  @Test
  void fieldsAreEqualByNameAndValue() {
    HeaderField field = HeaderField.of("a", "1");
    HeaderField secret = HeaderField.of("a", "1", Indexing.NEVER);
    assertThat(secret).isEqualTo(field).hasSameHashCodeAs(field);
    assertThat(field)
        .isNotEqualTo(HeaderField.of("a", "2"))
        .isNotEqualTo(HeaderField.of("b", "1"))
        .isNotEqualTo("a: 1");
    assertThat(HeaderField.of("Aa", "1")).isNotEqualTo(HeaderField.of("BB", "1")); // equal hashes
  }

  @Test
  void aFieldMayBeIndexedUnlessToldOtherwise() {
    assertThat(HeaderField.of("a", "1").indexing()).isEqualTo(Indexing.ALLOWED);
    assertThat(HeaderField.of("a", "1", Indexing.SKIPPED).indexing()).isEqualTo(Indexing.SKIPPED);
  }

  @Test
  void charactersAbove255AreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> HeaderField.of("a\u0100", "1"));
    assertThatIllegalArgumentException().isThrownBy(() -> HeaderField.of("a", "\u010a"));
    assertThat(HeaderField.of("a", "\u00ff").value()).isEqualTo("\u00ff");
  }

  @Test
  void textShowsControlCharactersEscaped() {
    assertThat(HeaderField.of("a", "x\r\n\0\u007f\u009f\u00e9"))
        .hasToString("a: x\\x0d\\x0a\\x00\\x7f\\x9f\u00e9");
  }

  @Test
  void aListHasTheSizeOfItsFields() {
    HeaderList list = HeaderList.of(HeaderField.of("a", "1"), HeaderField.of("bb", "22"));
    assertThat(list.size()).isEqualTo(2);
    assertThat(list.sizeBytes()).isEqualTo(34 + 36);
    assertThat(list.field(1).name()).isEqualTo("bb");
    assertThat(list).hasToString("[a: 1, bb: 22]");
  }

  @Test
  void listsAreEqualByTheirFieldsInOrder() {
    HeaderField a = HeaderField.of("a", "1");
    HeaderField b = HeaderField.of("b", "2");
    assertThat(HeaderList.of(a, b)).isEqualTo(HeaderList.of(a, b));
    assertThat(HeaderList.of(a, b)).hasSameHashCodeAs(HeaderList.of(a, b));
    assertThat(HeaderList.of(a, b)).isNotEqualTo(HeaderList.of(b, a)).isNotEqualTo(List.of(a, b));
  }

  @Test
  void aListIsIndependentOfItsSource() {
    List<HeaderField> fields = new ArrayList<>(List.of(HeaderField.of("a", "1")));
    HeaderList list = HeaderList.of(fields);
    fields.clear();
    assertThat(list).hasSize(1);
    HeaderField[] array = {HeaderField.of("a", "1")};
    HeaderList fromArray = HeaderList.of(array);
    array[0] = HeaderField.of("b", "2");
    assertThat(fromArray.field(0).name()).isEqualTo("a");
  }

  @Test
  void aListCannotBeChangedThroughItsIterator() {
    HeaderList list = HeaderList.of(HeaderField.of("a", "1"));
    var iterator = list.iterator();
    iterator.next();
    assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(iterator::remove);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.field(1));
  }

  @Test
  void theEmptyListIsSharedAndKeepsNoAttachment() {
    assertThat(HeaderList.of()).isSameAs(HeaderList.EMPTY);
    assertThat(HeaderList.of(List.of())).isSameAs(HeaderList.EMPTY);
    assertThat(HeaderList.EMPTY.attachment(String.class, list -> "first")).isEqualTo("first");
    assertThat(HeaderList.EMPTY.attachment(String.class, list -> "second")).isEqualTo("second");
  }

  @Test
  void aListKeepsItsFirstAttachment() {
    HeaderList list = HeaderList.of(HeaderField.of("a", "1"));
    assertThat(list.attachment(Integer.class, HeaderList::size)).isEqualTo(1);
    assertThat(list.attachment(Integer.class, HeaderList::sizeBytes)).isEqualTo(1);
    assertThat(list.field(0).attachment(String.class, HeaderField::name)).isEqualTo("a");
    assertThat(list.field(0).attachment(String.class, HeaderField::value)).isEqualTo("a");
  }

  @Test
  void anAttachmentOfAnotherTypeIsCreatedAgain() {
    HeaderList list = HeaderList.of(HeaderField.of("a", "1"));
    assertThat(list.attachment(Integer.class, HeaderList::size)).isEqualTo(1);
    assertThat(list.attachment(String.class, HeaderList::toString)).isEqualTo("[a: 1]");
    assertThat(list.attachment(Integer.class, HeaderList::sizeBytes)).isEqualTo(34);
  }
}
