package dev.gannet.http2.hpack;

import org.jspecify.annotations.Nullable;

/**
 * All fields that an index can refer to in a decoder: the static table, followed by the dynamic
 * one.
 */
final class FieldTable {
  private static final int INDEX_MASK = 0x7f;

  private final DynamicTable dynamic;

  /** This decoder's own static fields: fields of other threads have other attachments. */
  private final @Nullable HeaderField[] staticFields = new HeaderField[StaticTable.SIZE + 1];

  FieldTable(DynamicTable dynamic) {
    this.dynamic = dynamic;
  }

  /** Whether an index above 0 refers to a field. */
  boolean has(int index) {
    return index <= StaticTable.SIZE + dynamic.count();
  }

  /** The field at an existing index. */
  HeaderField field(int index) {
    if (index > StaticTable.SIZE) {
      return dynamic.aged(index - StaticTable.SIZE - 1);
    }
    HeaderField field = staticFields[index];
    if (field == null) {
      field = new HeaderField(StaticTable.name(index), StaticTable.value(index), Indexing.ALLOWED);
      staticFields[index] = field;
    }
    return field;
  }

  /** The name of the field at an existing index. */
  String name(int index) {
    return index > StaticTable.SIZE
        ? dynamic.aged(index - StaticTable.SIZE - 1).name()
        : StaticTable.name(index);
  }

  /** Whether a byte is the index of this field: of exactly this object. */
  @SuppressWarnings("ReferenceEquality") // an equal field may have been added in another way
  boolean isIndexOf(byte octet, HeaderField field) {
    int index = octet & INDEX_MASK;
    if (octet >= 0 || index == INDEX_MASK) {
      return false;
    }
    int age = index - StaticTable.SIZE - 1;
    return age < 0
        ? staticFields[index] == field
        : age < dynamic.count() && dynamic.aged(age) == field;
  }
}
