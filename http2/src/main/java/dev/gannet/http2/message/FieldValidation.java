package dev.gannet.http2.message;

/** What the grammar of HTTP says of one field: of which sort it is, or what is wrong with it. */
sealed interface FieldValidation permits FieldSort, Flaw {}
