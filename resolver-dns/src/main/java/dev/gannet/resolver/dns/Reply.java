package dev.gannet.resolver.dns;

import java.net.InetSocketAddress;
import java.util.List;

/** What DNS says of one name and one type of records. */
sealed interface Reply {
  /**
   * There are such records.
   *
   * @param data the RDATA of each
   * @param ttlSeconds the shortest of these records, and of the CNAMEs that led to them
   */
  record Records(List<byte[]> data, long ttlSeconds) implements Reply {}

  /** There are none, or not even the name. */
  record None(InetSocketAddress server, NoRecords why) implements Reply {}

  /**
   * It is not known.
   *
   * @param servers whether one of them has answered, although with an error
   */
  record Unknown(String why, Servers servers) implements Reply {}

  /** Whether any has answered: if not, to ask for another name would take as long again. */
  enum Servers {
    ANSWERED,
    SILENT
  }

  /** Why there are no records. */
  enum NoRecords {
    NO_NAME,
    NO_DATA
  }
}
