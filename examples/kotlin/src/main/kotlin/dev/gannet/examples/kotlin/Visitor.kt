package dev.gannet.examples.kotlin

import dev.gannet.api.Channel
import dev.gannet.api.Status
import dev.gannet.api.StatusException
import java.time.Duration
import java.util.concurrent.CompletableFuture

/** Calls a guestbook, blocking and not. */
class Visitor(channel: Channel, private val name: String) {
    private val book = GuestbookClient.of(channel).withDeadline(Duration.ofSeconds(5))
    private val later = GuestbookAsyncClient.of(channel).withDeadline(Duration.ofSeconds(5))

    /** Blocks; how many entries there are then, or null if the book refuses the text. */
    fun sign(text: String): Int? =
        try {
            book.sign(entry(text)).entries
        } catch (e: StatusException) {
            if (e.status().code() != Status.Code.INVALID_ARGUMENT) throw e
            null
        }

    /** Does not block; cancelling the future cancels the call. */
    fun signLater(text: String): CompletableFuture<Receipt> = later.sign(entry(text))

    /** Reads a stream to its end. */
    fun texts(): List<String> =
        book.read(ReadRequest.newBuilder().setGuest(name).build()).use { entries ->
            entries.map { it.text }
        }

    /** Sends a stream. */
    fun signAll(texts: List<String>): Int =
        book.signAll().use { call ->
            texts.forEach { call.send(entry(it)) }
            call.finish().entries
        }

    /** Sends one text, and reads what was written before it. */
    fun replyTo(text: String): String =
        book.converse().use { call ->
            call.send(entry(text))
            call.halfClose()
            call.next().text
        }

    private fun entry(text: String): Entry =
        Entry.newBuilder().setGuest(name).setText(text).build()
}
