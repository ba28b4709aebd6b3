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

  /** It is not known. */
  record Unknown(String why) implements Reply {}

  /** Why there are no records. */
  enum NoRecords {
    NO_NAME,
    NO_DATA
  }
}
