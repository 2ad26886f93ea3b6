/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the record of an operation and its argument struct, by its table of fields. */
#include <string.h>

#include "op.h"

/* Ranges and times are stated less one in a record, and in full in the arguments. */
static void set_arg(void *args, uint16_t offset, uint32_t value)
{
	if (offset != PD_NO_ARG)
		memcpy((char *)args + offset, &value, sizeof(value));
}

static uint32_t arg_value(const void *args, uint16_t offset)
{
	uint32_t value = 0;

	if (offset != PD_NO_ARG)
		memcpy(&value, (const char *)args + offset, sizeof(value));
	return value;
}

static uint16_t less_one(uint32_t value)
{
	return (uint16_t)(value ? value - 1 : 0);
}

void pd_op_args(const struct pd_op *op, const struct pd_record *rec, void *args)
{
	memset(args, 0, op->args_size);
	for (const struct pd_field *f = op->kind.fields; f->form != PD_FORM_END; f++) {
		uint32_t value = pd_record_get(rec, f->at);

		if (f->form == PD_FORM_LITERAL)
			continue;
		set_arg(args, f->arg, f->form == PD_FORM_TIMES ? value + 1 : value);
		if (f->form == PD_FORM_RANGE)
			set_arg(args, f->arg_more, pd_record_get(rec, f->more) + 1u);
	}
}

void pd_op_record(const struct pd_op *op, const void *args, struct pd_record *rec)
{
	*rec = (struct pd_record){ .kind = op->kind.number };
	for (const struct pd_field *f = op->kind.fields; f->form != PD_FORM_END; f++) {
		uint32_t value;

		if (f->form == PD_FORM_LITERAL)
			continue;
		value = arg_value(args, f->arg);
		pd_record_set(rec, f->at,
			      f->form == PD_FORM_TIMES ? less_one(value) : (uint16_t)value);
		if (f->form == PD_FORM_RANGE)
			pd_record_set(rec, f->more, less_one(arg_value(args, f->arg_more)));
	}
}
